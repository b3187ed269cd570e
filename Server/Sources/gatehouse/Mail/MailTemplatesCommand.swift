import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct MailTemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates", abstract: "Use a project's own texts instead of the server's.",
    subcommands: [
      ListMailTemplatesCommand.self, ShowMailTemplateCommand.self, SetMailTemplateCommand.self,
      RemoveMailTemplateCommand.self,
    ])
}

/// The email and the language that a command is about.
struct MailTemplateOptions: ParsableArguments {
  @Argument(
    help: "The kind of email: \(MailKind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: String

  @Option(help: "A language tag, such as de.")
  var language: String

  func resolve() throws -> (kind: MailKind, language: MailLanguage) {
    guard let kind = MailKind(rawValue: kind) else {
      let known = MailKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("“\(kind)” is not one of \(known)")
    }
    guard let language = MailLanguage(language) else {
      throw CommandFailure("“\(language)” is no language tag, such as de or pt-BR")
    }
    return (kind, language)
  }
}

struct ListMailTemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the project's own texts.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let templates = try await database.store.read { transaction in
        try MailKind.allCases.flatMap { try transaction.emailTemplates(of: $0, in: id) }
      }
      guard !templates.isEmpty else {
        return Terminal.say("\(id) has no texts of its own: the server's are used.")
      }
      var table = TextTable("EMAIL", "LANGUAGE", "SUBJECT", "HTML", "SET")
      for template in templates {
        table.add(
          template.kind.rawValue, template.language, template.subject,
          template.html == nil ? "no" : "yes", template.updatedAt.formatted(.iso8601))
      }
      table.say()
    }
  }
}

struct ShowMailTemplateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the text that is used: the project's own, or else the server's."
  )

  @OptionGroup var options: MailTemplateOptions

  @Flag(help: "Print the HTML instead of the text.")
  var html = false

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let (kind, language) = try options.resolve()
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let own = try await database.store.read { try $0.emailTemplates(of: kind, in: id) }
        .first { $0.language == language.text }
      let template =
        if let own {
          try MailTemplate(own)
        } else {
          try MailTemplates().template(for: kind, languages: [language.text]).template
        }
      if html {
        guard let html = template.html else { throw CommandFailure("this email has only text") }
        Terminal.say(html)
      } else {
        Terminal.say("Subject: \(template.subject)\n\n\(template.text)")
      }
    }
  }
}

struct SetMailTemplateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Use this text for an email in a language.",
    discussion: """
      Values are written {{link}}, {{code}}, {{email}}, {{newEmail}}, {{displayName}}, {{appName}}, \
      {{providerName}} and {{expiry}}, or as in Firebase's templates: %LINK%, %EMAIL%, %NEW_EMAIL%, \
      %DISPLAY_NAME%, %APP_NAME%, and also %CODE%. {{#displayName}}…{{/displayName}} is left out if \
      the email shows no name. The text is checked, and used from the next email on.
      """)

  @OptionGroup var options: MailTemplateOptions

  @Option(help: "The subject.")
  var subject: String

  @Option(help: "A file with the plain text.")
  var textFile: String

  @Option(help: "A file with the HTML. Without it, the email has only text.")
  var htmlFile: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let (kind, language) = try options.resolve()
    let template = EmailTemplate(
      kind: kind, language: language.text, subject: subject, text: try Self.contents(of: textFile),
      html: try htmlFile.map { try Self.contents(of: $0) }, updatedAt: Date())
    do throws(MailTemplateFault) {
      _ = try MailTemplate(template)
    } catch {
      throw CommandFailure("\(error)")
    }
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      try await database.store.write { transaction in
        let others = try transaction.emailTemplates(of: kind, in: id).count {
          $0.language != template.language
        }
        guard others < EmailTemplate.maximumLanguages else {
          throw CommandFailure(
            "\(id) has texts in \(EmailTemplate.maximumLanguages) languages already; remove one")
        }
        try transaction.save(template, in: id)
      }
      Terminal.say("\(id) uses this text for \(kind.rawValue) in \(template.language).")
    }
  }

  private static func contents(of file: String) throws -> String {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw CommandFailure("“\(file)” can't be read as UTF-8")
    }
    return text
  }
}

struct RemoveMailTemplateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Use the server's text again.")

  @OptionGroup var options: MailTemplateOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let (kind, language) = try options.resolve()
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let removed = try await database.store.write {
        try $0.deleteEmailTemplate(of: kind, language: language.text, in: id)
      }
      guard removed else {
        throw CommandFailure("\(id) has no text of its own for \(kind.rawValue) in \(language)")
      }
      Terminal.say("\(id) uses the server's text for \(kind.rawValue) in \(language).")
    }
  }
}
