import Model

extension Status {
  /// Whether it lies on a disk that turns; nil where the kernel does not say, as of a network.
  package var isOnRotatingDisk: Bool? {
    let device = "/sys/dev/block/\(self.device >> 32):\(self.device & 0xffff_ffff)"
    // A partition has no queue of its own; the disk above it has.
    for queue in ["/queue", "/../queue"] {
      let path = Array((device + queue + "/rotational").utf8)
      guard let file = try? OpenFile(absolutePath: path) else { continue }
      var bytes: [UInt8] = [0]
      guard (try? file.read(at: 0, into: &bytes)) == 1 else { continue }
      return bytes == [UInt8(ascii: "1")]
    }
    return nil
  }
}
