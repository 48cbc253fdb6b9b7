/// Which namespace a prefix stands for in the element that is being read (Namespaces in XML 1.0).
///
/// What expat does itself writes the whole namespace into every name before anyone could count.
struct Namespaces {
  /// By prefix, that of the innermost element last; the empty prefix is that of names without one.
  private var bound: [Substring: [String]] = ["xml": ["http://www.w3.org/XML/1998/namespace"]]
  /// The prefixes that each open element declares.
  private var declared: [[Substring]] = []

  static func isDeclaration(_ name: String) -> Bool {
    name == "xmlns" || name.hasPrefix("xmlns:")
  }

  /// Takes the declarations among the attributes of an element. Returns false for one that is not
  /// allowed, or longer than any.
  mutating func enter(_ attributes: [(name: String, value: String)]) -> Bool {
    var prefixes: [Substring] = []
    for (name, value) in attributes where Namespaces.isDeclaration(name) {
      let prefix = name.dropFirst("xmlns:".count)
      // Only the namespace of names without a prefix can be taken back.
      guard value.utf8.count <= lengthLimit, name == "xmlns" || !prefix.isEmpty && !value.isEmpty
      else { return false }
      bound[prefix, default: []].append(value)
      prefixes.append(prefix)
    }
    declared.append(prefixes)
    return true
  }

  mutating func leave() {
    for prefix in declared.popLast() ?? [] { bound[prefix]?.removeLast() }
  }

  /// The namespace, a blank, and the name in it; nil where nothing declares the prefix. An attribute
  /// without a prefix is in no namespace.
  func resolve(_ name: String, isAttribute: Bool) -> String? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1:
      let space = isAttribute ? "" : bound[""]?.last ?? ""
      return space.isEmpty ? name : space + " " + name
    case 2:
      guard let space = bound[parts[0]]?.last, !parts[0].isEmpty, !parts[1].isEmpty else {
        return nil
      }
      return space + " " + parts[1]
    default: return nil
    }
  }
}

/// In bytes; those of metadata have some tens.
private let lengthLimit = 256
