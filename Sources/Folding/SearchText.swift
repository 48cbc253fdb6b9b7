import CUnicode
import Glibc

/// The form in which words are compared in a search: NFC, and case-folded, so that "Café" finds
/// a folder that a Mac spelled with a combining accent.
///
/// utf8proc because neither the standard library nor FoundationEssentials normalises.
package func searchText(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
  var bytes = Array(text.utf8)
  var folded: UnsafeMutablePointer<UInt8>?
  let length = utf8proc_map(&bytes, bytes.count, &folded, utf8proc_option_t(options))
  defer { free(folded) }
  // A negative length is an error; a String is always valid, so only memory can be short.
  guard length >= 0, let folded else { return text }
  return String(decoding: UnsafeBufferPointer(start: folded, count: length), as: UTF8.self)
}
