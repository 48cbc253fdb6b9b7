import CLinux

/// Keeps the memory of a program that runs for years near to what it needs: two heaps for all
/// threads, where the C library gives each thread one, which keeps what it once took.
package func shareHeaps() {
  _ = mallopt(M_ARENA_MAX, 2)
}

/// Gives what is free of the heaps back to the kernel.
package func returnFreeMemory() {
  _ = malloc_trim(0)
}
