import CLinux
import Glibc

/// Which rights a process has taken away from itself.
package struct Confinement: Hashable, Sendable {
  /// Only system calls that reading what is open takes (seccomp(2)).
  package var filtersSystemCalls: Bool
  /// No path can be opened, no port reached (landlock(7)).
  package var hasLandlock: Bool
  /// Memory has a limit.
  package var limitsMemory: Bool

  package init(filtersSystemCalls: Bool, hasLandlock: Bool, limitsMemory: Bool) {
    self.filtersSystemCalls = filtersSystemCalls
    self.hasLandlock = hasLandlock
    self.limitsMemory = limitsMemory
  }
}

extension Confinement: CustomStringConvertible {
  package var description: String {
    [
      filtersSystemCalls ? "seccomp" : "no seccomp", hasLandlock ? "landlock" : "no landlock",
      limitsMemory ? "memory limit" : "no memory limit",
    ].joined(separator: ", ")
  }
}

/// Takes away from this process all that it does not need to read what it has been given open, as
/// far as the kernel can. It must have one thread: Landlock is of threads.
package func confine(memory: UInt) -> Confinement {
  photoindexd_forbid_dumps()
  photoindexd_forbid_new_privileges()
  let limitsMemory = limit(memory: memory)
  let version = photoindexd_landlock_version()
  let hasLandlock = version > 0 && photoindexd_landlock(version) == 0
  return Confinement(
    filtersSystemCalls: photoindexd_filter_system_calls() == 0, hasLandlock: hasLandlock,
    limitsMemory: limitsMemory)
}

/// So much memory more than the process has now: a sanitizer reserves terabytes of addresses.
private func limit(memory: UInt) -> Bool {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  guard let used = addressSpace() else { return false }
  var limit = rlimit(rlim_cur: used + memory, rlim_max: used + memory)
  return setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
}

/// In bytes, by proc_pid_statm(5).
private func addressSpace() -> UInt? {
  let raw = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard raw >= 0 else { return nil }
  let file = FileDescriptor(owning: raw)
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = bytes.withUnsafeMutableBytes { read(file.raw, $0.baseAddress, $0.count) }
  let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  return text.split(separator: " ").first.flatMap { UInt($0) }.map { $0 * UInt(getpagesize()) }
}
