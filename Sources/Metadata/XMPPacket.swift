import Markup

/// The properties of an XMP packet (ISO 16684-1), which is RDF in one of a few forms.
struct XMPPacket {
  private var descriptions: [XMLElement]

  /// One value of a property, and the language that it is in.
  struct Item {
    let text: String
    let language: String?
  }

  /// Returns nil for what cannot be read as RDF.
  init?(_ bytes: [UInt8]) {
    var packet = bytes
    // Some writers fill up with NULs; in UTF-16 they are halves of letters.
    if !bytes.prefix(4).contains(0) { while packet.last == 0 { packet.removeLast() } }
    guard let root = XMLElement(document: packet),
      let graph = root.name == rdf("RDF")
        ? root : root.children.first(where: { $0.name == rdf("RDF") })
    else { return nil }
    descriptions = graph.children.filter { $0.name == rdf("Description") }
  }

  /// With what stands in another packet of the same file; what this one says counts first.
  func extended(by other: XMPPacket?) -> XMPPacket {
    var extended = self
    extended.descriptions += other?.descriptions ?? []
    return extended
  }

  /// The values of a property, which is an attribute or an element with text or a list in it.
  func items(_ name: String) -> [Item] {
    for description in descriptions {
      if let text = description.attributes[name] { return [Item(text: text, language: nil)] }
      guard let element = description.children.first(where: { $0.name == name }) else { continue }
      let lists = [rdf("Bag"), rdf("Seq"), rdf("Alt")]
      guard let list = element.children.first(where: { lists.contains($0.name) }) else {
        return [Item(text: element.text, language: nil)]
      }
      return list.children.filter { $0.name == rdf("li") }.map {
        Item(text: $0.text, language: $0.attributes[language])
      }
    }
    return []
  }

  func has(_ name: String) -> Bool {
    descriptions.contains {
      $0.attributes[name] != nil || $0.children.contains { $0.name == name }
    }
  }

  func text(_ name: String) -> String? { items(name).first?.text }
}

private func rdf(_ name: String) -> String { "http://www.w3.org/1999/02/22-rdf-syntax-ns# " + name }

private let language = "http://www.w3.org/XML/1998/namespace lang"
