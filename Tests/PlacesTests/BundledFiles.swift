import Foundation

/// The GeoJSON files of the source tree.
let bundledResources: String = {
  let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  return here.appendingPathComponent("../../Resources/places").standardized.path
}()

func readBundled(_ name: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: bundledResources + "/" + name)))
}
