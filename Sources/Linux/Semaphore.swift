import Glibc

/// Lets one thread wait until another has signalled (sem_overview(7)).
///
/// The address is kept as a number, because a pointer is not Sendable; all calls of it are safe on any
/// thread.
struct Semaphore: ~Copyable, Sendable {
  private let address: UInt

  private var handle: UnsafeMutablePointer<sem_t> {
    UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  init() {
    let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(handle, 0, 0)
    address = UInt(bitPattern: handle)
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  borrowing func signal() {
    sem_post(handle)
  }

  /// Each signal ends one wait.
  borrowing func wait() {
    while sem_wait(handle) == -1, errno == EINTR {}
  }
}
