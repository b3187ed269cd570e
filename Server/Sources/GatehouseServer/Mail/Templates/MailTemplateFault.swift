/// Why a template is refused, and where.
package struct MailTemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Part: String, Hashable, Sendable {
    case subject, text, html
  }

  package enum Reason: Hashable, Sendable {
    case tooLong(maximum: Int)
    case empty
    /// A tag or a section that has no end, or an end of another section.
    case syntax
    /// `{{{`, `{{&`, partials, inheritance, other delimiters, settings, or a name with a function.
    case tagNotAllowed(String)
    /// The name of a value that no mail has, or that this kind of mail doesn't have.
    case unknownName(String)
    /// The mail is useless without the link, which must not be inside a section.
    case linkMissing
    case nestedTooDeep
  }

  package let part: Part
  /// From 1.
  package let line: Int
  package let reason: Reason

  package init(part: Part, line: Int, reason: Reason) {
    self.part = part
    self.line = line
    self.reason = reason
  }

  package var description: String { "\(part.rawValue), line \(line): \(words)" }

  private var words: String {
    switch reason {
    case .tooLong(let maximum):
      "it is longer than \(maximum) \(part == .subject ? "characters" : "bytes")"
    case .empty: "it is empty"
    case .syntax: "a tag or a section is not closed, or closed by another name"
    case .tagNotAllowed(let tag):
      "the tag {{\(tag)}} is not allowed: use {{name}}, {{#name}}, {{^name}}, {{/name}} or {{! comment}}"
    case .unknownName(let name): "this kind of mail has no value “\(name)”"
    case .linkMissing: "the link is missing: write {{link}} or %LINK%, outside of any section"
    case .nestedTooDeep: "sections are nested more than \(TemplateScanner.maximumDepth) deep"
    }
  }
}
