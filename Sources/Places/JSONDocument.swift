/// Reads one JSON value (RFC 8259) that makes up a whole file.
package func readJSON(_ bytes: [UInt8], file: String) throws(GeoJSONError) -> JSONValue {
  var scanner = JSONScanner(bytes, limits: GeoJSONLimits())
  do throws(GeoJSONFault) {
    let value = try scanner.value()
    guard scanner.peek() == nil else { throw scanner.unexpected("the end") }
    return value
  } catch {
    throw GeoJSONError(
      error.problem, at: error.offset, in: bytes, GeoJSONLocation(), file: file)
  }
}
