import CExif
import CExifHeap
package import Containers

/// Memory that serves one block after the other.
package final class ExifHeap {
  fileprivate let heap: OpaquePointer

  package init() {
    guard let heap = photoindexd_exif_heap_new() else {
      preconditionFailure("there is no memory for the decoder")
    }
    self.heap = heap
  }

  deinit {
    photoindexd_exif_heap_free(heap)
  }
}

/// The tags of a clean block, as libexif decodes them. It owns libexif's tree; only plain values
/// leave this file.
package struct ExifBlock: ~Copyable {
  private let data: UnsafeMutablePointer<ExifData>
  private let heap: ExifHeap

  /// Returns nil when there is no memory.
  package init?(_ block: borrowing CleanBlock, in heap: ExifHeap) {
    guard
      let data = photoindexd_exif_load(heap.heap, block.bytes, UInt32(clamping: block.bytes.count))
    else { return nil }
    self.data = data
    self.heap = heap
  }

  deinit {
    photoindexd_exif_unload(heap.heap, data)
  }

  /// What `decode` makes of the bytes of a text, with a NUL at the end; nil where there is none.
  package func text(_ tag: Tag, _ decode: (Span<UInt8>) -> String?) -> String? {
    guard let entry = entry(tag)?.pointee, entry.format == EXIF_FORMAT_ASCII, entry.data != nil
    else { return nil }
    let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size))
    return decode(Span(_unsafeElements: bytes))
  }

  package func integer(_ tag: Tag) -> Int? {
    number(tag).flatMap { Int(exactly: $0.rounded()) }
  }

  package func number(_ tag: Tag) -> Double? {
    count(tag) > 0 ? part(0, of: tag) : nil
  }

  /// How many numbers the value has.
  package func count(_ tag: Tag) -> Int {
    entry(tag).map { Int(clamping: $0.pointee.components) } ?? 0
  }

  /// A number of the value; nil where it is none, such as 0/0.
  package func part(_ index: Int, of tag: Tag) -> Double? {
    guard let entry = entry(tag)?.pointee, let start = entry.data else { return nil }
    let size = Int(exif_format_get_size(entry.format))
    guard index >= 0, size > 0, (index + 1) * size <= Int(entry.size) else { return nil }
    return number(at: start + index * size, entry.format)
  }

  private func number(at bytes: UnsafePointer<UInt8>, _ format: ExifFormat) -> Double? {
    let order = exif_data_get_byte_order(data)
    switch format {
    case EXIF_FORMAT_BYTE, EXIF_FORMAT_UNDEFINED: return Double(bytes.pointee)
    case EXIF_FORMAT_SHORT: return Double(exif_get_short(bytes, order))
    case EXIF_FORMAT_SSHORT: return Double(exif_get_sshort(bytes, order))
    case EXIF_FORMAT_LONG: return Double(exif_get_long(bytes, order))
    case EXIF_FORMAT_SLONG: return Double(exif_get_slong(bytes, order))
    case EXIF_FORMAT_RATIONAL:
      let value = exif_get_rational(bytes, order)
      return value.denominator == 0 ? nil : Double(value.numerator) / Double(value.denominator)
    case EXIF_FORMAT_SRATIONAL:
      let value = exif_get_srational(bytes, order)
      return value.denominator == 0 ? nil : Double(value.numerator) / Double(value.denominator)
    default: return nil
    }
  }

  private func entry(_ tag: Tag) -> UnsafeMutablePointer<ExifEntry>? {
    let content = withUnsafeBytes(of: &data.pointee.ifd) {
      $0.bindMemory(to: UnsafeMutablePointer<ExifContent>?.self)[Int(tag.directory.rawValue)]
    }
    return content.flatMap { exif_content_get_entry($0, ExifTag(UInt32(tag.number))) }
  }
}
