import CLinux

/// Lets all threads share two heaps, which grow a megabyte at a time and leave what is larger than that
/// to the kernel.
///
/// The C library would give each thread one, which keeps what it once took and asks the kernel for a few
/// pages again and again, while all other threads of the process wait. And once a large piece has been
/// freed, it would keep room for one like that.
package func shareHeaps() {
  _ = mallopt(M_ARENA_MAX, 2)
  _ = mallopt(M_TOP_PAD, 1 << 20)
  _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
}

/// Gives what is free of the heaps back to the kernel.
package func returnFreeMemory() {
  _ = malloc_trim(0)
}
