import Decoding
import IndexStore
import Library
import Metadata
import Model
import Places
import Sync

extension SyncPass {
  /// Without a wall, as for files that are known.
  init(
    root: SyncRoot, scopes: [SyncScope] = [SyncScope(.root)], index: PhotoIndex, places: Atlas?,
    settings: SyncSettings, versions: ReaderVersions = .current,
    clock: @escaping @Sendable () -> Timestamp,
    report: @escaping @Sendable (SyncEvent) -> Void
  ) {
    self.init(
      root: root, scopes: scopes, index: index, decoder: InProcessDecoder(), places: places,
      settings: settings, versions: versions, clock: clock, report: report)
  }
}
