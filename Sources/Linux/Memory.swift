import CLinux

/// Keeps the memory of a program that runs for years near to what it needs: two heaps for all
/// threads, where the C library gives each thread one, which keeps what it once took.
package func shareHeaps() {
  _ = mallopt(M_ARENA_MAX, 2)
}

/// Lets the heaps grow a megabyte at a time, where the C library asks the kernel for a few pages again and
/// again, and each time all other threads of the process must be told.
package func growHeapsInSteps() {
  _ = mallopt(M_TOP_PAD, 1 << 20)
}

/// Gives what is free of the heaps back to the kernel.
package func returnFreeMemory() {
  _ = malloc_trim(0)
}
