// Nobody calls it: it is preloaded, see FaultLayer.c.
