import CExpat

/// An element of an XML document, as expat reads it.
package struct XMLElement: Hashable, Sendable {
  /// The namespace, a blank, and the name in it.
  package let name: String
  /// By such names.
  package let attributes: [String: String]
  package fileprivate(set) var children: [XMLElement] = []
  /// What stands between the tags, that of the children left out.
  package fileprivate(set) var text = ""

  /// The outermost element. Returns nil for what is no well-formed XML, has a document type (which
  /// could define entities), or is deeper, has more elements or longer names than any metadata.
  package init?(document bytes: [UInt8]) {
    guard bytes.count <= byteLimit, let parser = XML_ParserCreate(nil) else { return nil }
    defer { XML_ParserFree(parser) }
    let builder = Builder(parser)
    let isWhole = withExtendedLifetime(builder) {
      XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
      XML_SetElementHandler(
        parser, { current($0)?.start($1, $2) }, { data, _ in current(data)?.end() })
      XML_SetCharacterDataHandler(parser) { current($0)?.add($1, count: $2) }
      XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in current(data)?.stop() }
      return bytes.withUnsafeBytes {
        let start = $0.baseAddress?.assumingMemoryBound(to: CChar.self)
        return XML_Parse(parser, start, CInt($0.count), 1) == XML_STATUS_OK
      }
    }
    guard isWhole, let root = builder.root else { return nil }
    self = root
  }

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }
}

/// Puts together what expat calls it with. Lives as long as one document.
private final class Builder {
  private let parser: XML_Parser
  private var open: [XMLElement] = []
  private var namespaces = Namespaces()
  private var count = 0
  private var nameBytes = 0
  private(set) var root: XMLElement?

  init(_ parser: XML_Parser) {
    self.parser = parser
  }

  func start(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    count += 1
    guard let name, open.count < depthLimit, count <= elementLimit else { return stop() }
    var written: [(name: String, value: String)] = []
    var next = attributes
    while let pair = next, let name = pair[0], let value = pair[1] {
      written.append((String(cString: name), String(cString: value)))
      next = pair + 2
    }
    guard namespaces.enter(written), let name = resolve(String(cString: name), isAttribute: false)
    else { return stop() }
    var found: [String: String] = [:]
    for (name, value) in written where !Namespaces.isDeclaration(name) {
      guard let name = resolve(name, isAttribute: true),
        found.updateValue(value, forKey: name) == nil
      else { return stop() }
    }
    open.append(XMLElement(name: name, attributes: found))
  }

  /// A name with its namespace. All together may not be longer than a document: a few bytes of
  /// each could stand for hundreds.
  private func resolve(_ name: String, isAttribute: Bool) -> String? {
    guard let resolved = namespaces.resolve(name, isAttribute: isAttribute) else { return nil }
    nameBytes += resolved.utf8.count
    return nameBytes <= byteLimit ? resolved : nil
  }

  func end() {
    namespaces.leave()
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func add(_ text: UnsafePointer<CChar>?, count: CInt) {
    guard let text, !open.isEmpty else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
  }

  func stop() {
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }
}

private func current(_ data: UnsafeMutableRawPointer?) -> Builder? {
  data.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
}

private let byteLimit = 4 << 20
private let depthLimit = 64
private let elementLimit = 50_000
