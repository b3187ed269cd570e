/// Checks a template before the mustache parser reads it, and replaces Firebase's placeholders.
///
/// Stricter than mustache: a tag is on one line, and there are only values, sections and comments.
/// Other tags could write a value without escaping it. The parser is also recursive: without the limit
/// on depth, a template could exhaust the stack of the server's thread.
struct TemplateScanner {
  static let maximumDepth = 8

  let part: MailTemplateFault.Part
  let names: Set<MailName>
  /// The template for the mustache parser: placeholders are tags, comments are left out.
  private(set) var template = ""
  /// Whether a link is written outside of any section.
  private(set) var hasLink = false
  private var line = 1
  private var open: [MailName] = []

  init(
    _ text: String, part: MailTemplateFault.Part, names: Set<MailName>
  ) throws(MailTemplateFault) {
    self.part = part
    self.names = names
    // Scalars: in a `String`, a brace followed by a combining mark is another character.
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      if rest.starts(with: "{{".unicodeScalars) {
        rest = try tag(rest.dropFirst(2))
      } else if rest.first == "%", let placeholder = Self.placeholder(rest) {
        try value(placeholder.name, shown: placeholder.text)
        rest = rest.dropFirst(placeholder.text.unicodeScalars.count)
      } else {
        let scalar = rest.removeFirst()
        if scalar == "\n" { line += 1 }
        template.unicodeScalars.append(scalar)
      }
    }
    guard open.isEmpty else { throw fault(.syntax) }
  }

  /// - Returns: What follows the tag.
  private mutating func tag(
    _ rest: Substring.UnicodeScalarView
  ) throws(MailTemplateFault) -> Substring.UnicodeScalarView {
    let content = rest.prefix { $0 != "}" && $0 != "\n" }
    let after = rest.dropFirst(content.count)
    guard after.starts(with: "}}".unicodeScalars) else { throw fault(.syntax) }
    guard let sigil = content.first else { throw fault(.syntax) }
    let name = Self.trimmed("#^/!".unicodeScalars.contains(sigil) ? content.dropFirst() : content)
    switch sigil {
    case "!": break
    case "#", "^":
      let name = try known(name)
      guard open.count < Self.maximumDepth else { throw fault(.nestedTooDeep) }
      open.append(name)
      template += "{{\(sigil)\(name.rawValue)}}"
    case "/":
      guard let name = MailName(rawValue: name), open.last == name else { throw fault(.syntax) }
      open.removeLast()
      template += "{{/\(name.rawValue)}}"
    default:
      guard name.utf8.allSatisfy(Self.isOfName) else {
        throw fault(.tagNotAllowed(String(String.UnicodeScalarView(content.prefix(64)))))
      }
      try value(MailName(rawValue: name), shown: name)
    }
    return after.dropFirst(2)
  }

  private mutating func value(_ name: MailName?, shown: String) throws(MailTemplateFault) {
    guard let name, names.contains(name) else { throw fault(.unknownName(shown)) }
    if name == .link, open.isEmpty { hasLink = true }
    template += "{{\(name.rawValue)}}"
  }

  private func known(_ text: String) throws(MailTemplateFault) -> MailName {
    guard let name = MailName(rawValue: text), names.contains(name) else {
      throw fault(.unknownName(text))
    }
    return name
  }

  private func fault(_ reason: MailTemplateFault.Reason) -> MailTemplateFault {
    MailTemplateFault(part: part, line: line, reason: reason)
  }

  /// `%LINK%`, or an unknown placeholder of at least three capitals or `_`. Shorter texts may be parts
  /// of an encoded URL, such as `%C3%A4`.
  private static func placeholder(
    _ rest: Substring.UnicodeScalarView
  ) -> (name: MailName?, text: String)? {
    let word = rest.dropFirst().prefix(32).prefix { ("A"..."Z").contains($0) || $0 == "_" }
    guard word.count >= 3, rest.dropFirst(1 + word.count).first == "%" else { return nil }
    let text = "%\(String(String.UnicodeScalarView(word)))%"
    return (MailName.allCases.first { $0.placeholder == text }, text)
  }

  /// Whether the byte may be part of a name. Other bytes belong to tags that aren't allowed.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
    let start = text.drop { $0 == " " }
    var view = String.UnicodeScalarView(start)
    while view.last == " " { view.removeLast() }
    return String(view)
  }
}
