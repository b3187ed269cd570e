package import GatehouseProtocol
import Mustache

/// The text of one kind of mail in one language, with places for values.
///
/// The subject and the text are plain text. In the HTML, every value is escaped for text and for
/// attributes in quotes. A template must not put a value into a script, a style or an attribute without
/// quotes: the operator who writes it is responsible for that.
package struct MailTemplate: Sendable {
  /// As they were set.
  package let subject: String
  package let text: String
  package let html: String?
  private let templates:
    (subject: MustacheTemplate, text: MustacheTemplate, html: MustacheTemplate?)

  /// In characters.
  package static let maximumSubjectLength = 200
  package static let maximumBodyBytes = 64 * 1024

  /// - Parameter html: nil: the mail has only text.
  /// - Throws: ``MailTemplateFault`` with the first fault, its part and its line.
  package init(
    subject: String, text: String, html: String?, for kind: MailKind
  ) throws(MailTemplateFault) {
    guard subject.unicodeScalars.count <= Self.maximumSubjectLength else {
      throw MailTemplateFault(
        part: .subject, line: 1, reason: .tooLong(maximum: Self.maximumSubjectLength))
    }
    self.subject = subject
    self.text = text
    self.html = html
    templates = (
      try Self.parsed(subject, .subject, kind), try Self.parsed(text, .text, kind),
      try html.map { html throws(MailTemplateFault) in try Self.parsed(html, .html, kind) }
    )
  }

  private static func parsed(
    _ text: String, _ part: MailTemplateFault.Part, _ kind: MailKind
  ) throws(MailTemplateFault) -> MustacheTemplate {
    func fault(_ reason: MailTemplateFault.Reason, line: Int = 1) -> MailTemplateFault {
      MailTemplateFault(part: part, line: line, reason: reason)
    }
    guard text.utf8.count <= maximumBodyBytes else {
      throw fault(.tooLong(maximum: maximumBodyBytes))
    }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw fault(.empty)
    }
    let scanner = try TemplateScanner(text, part: part, names: kind.names)
    guard part == .subject || !kind.hasLink || scanner.hasLink else { throw fault(.linkMissing) }
    do {
      return try MustacheTemplate(string: plain + scanner.template)
    } catch let error as MustacheTemplate.ParserError {
      throw fault(.syntax, line: max(1, error.context.lineNumber - 1))
    } catch {
      throw fault(.syntax)
    }
  }

  /// Turns swift-mustache's escaping off: it works on characters, and misses a quote that is followed
  /// by a combining mark. ``HTMLText`` escapes the values before. A tag alone on its line writes nothing.
  private static let plain = "{{% CONTENT_TYPE: TEXT}}\n"

  /// Writes the values into the template.
  package func rendered(_ values: MailValues, in language: MailLanguage) -> Secret<MailContent> {
    let values = values.values(in: language)
    let plain = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    let subject = HeaderText.line(
      templates.subject.render(plain), maximumLength: MailMessage.maximumSubjectLength)
    return Secret(
      MailContent(
        subject: subject, text: templates.text.render(plain),
        html: templates.html?.render(plain.mapValues(HTMLText.escaped))))
  }
}

/// Text inside HTML.
enum HTMLText {
  /// For an element's text and for attributes in quotes. By Unicode scalars: in a `String`, a quote
  /// followed by a combining mark is another character.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
