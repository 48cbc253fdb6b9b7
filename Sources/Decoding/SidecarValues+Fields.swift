import Metadata

// All fields of what a sidecar says, as of what a photo says.

extension SidecarValues.Finding {
  static func code(_ finding: inout Self, _ coder: inout some FieldCoder) {
    var kind = finding.kind
    coder.integer(&kind, in: 0...2)
    switch kind {
    case 0:
      var values = XMPSidecar()
      if case .values(.xmp(let known)) = finding { values = known }
      values.code(&coder)
      finding = .values(.xmp(values))
    case 1:
      var values = TakeoutFile()
      if case .values(.takeout(let known)) = finding { values = known }
      values.code(&coder)
      finding = .values(.takeout(values))
    default:
      var fault = SidecarValues.Fault.empty
      if case .unreadable(let known) = finding { fault = known }
      coder.word(&fault)
      finding = .unreadable(fault)
    }
  }

  private var kind: Int {
    switch self {
    case .values(.xmp): 0
    case .values(.takeout): 1
    case .unreadable: 2
    }
  }
}

extension XMPSidecar {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.text(&original)
    coder.text(&digitized)
    coder.number(&latitude)
    coder.number(&longitude)
    coder.number(&altitude)
    coder.integer(&rating, in: -1...5)
    coder.optional(&keywords, blank: []) { coder, keywords in
      coder.list(&keywords, atMost: listLimit, blank: "") { $0.text(&$1) }
    }
    coder.optional(&title, blank: [:]) { $0.texts(&$1, atMost: listLimit) }
    coder.optional(&caption, blank: [:]) { $0.texts(&$1, atMost: listLimit) }
    coder.text(&label)
  }
}

extension TakeoutFile {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.text(&taken)
    coder.number(&latitude)
    coder.number(&longitude)
    coder.number(&altitude)
    coder.text(&caption)
  }
}
