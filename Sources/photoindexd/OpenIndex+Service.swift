import IndexStore
import Linux
import Model
import Service
import Sync
import Watch

extension OpenIndex {
  /// How the service is to behave, by the configuration.
  func serviceSettings() -> ServiceSettings {
    let configuration = setting.configuration
    var service = ServiceSettings()
    service.sync = settings()
    service.times.settle = configuration.settle
    service.times.quiet = min(service.times.quiet, configuration.settle)
    service.pollInterval = configuration.pollInterval
    service.plan = ScanPlan(
      interval: configuration.rescanInterval, minute: configuration.scanAt?.minutes)
    return service
  }

  /// The roots of these jobs, for the service.
  func servedRoots(_ jobs: [Job]) async throws -> [ServedRoot] {
    let database = Array(try setting.database().utf8)
    let end = database.lastIndex(of: UInt8(ascii: "/")) ?? 0
    let directory = realRoot(Array(database[..<end]))
    var served: [ServedRoot] = []
    for job in jobs {
      let path = realRoot(job.root.path)
      let inside = contains(path, directory) ? relativePath(of: directory, in: path) : nil
      served.append(
        ServedRoot(
          try await syncRoot(job), isRemovable: job.configured?.removable == true,
          indexDirectory: inside))
    }
    return served
  }
}
