import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

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

  @Option(help: "A language tag, such as de. Required.")
  var language: String

  @OptionGroup var project: ProjectOptions

  func send(
    _ method: AdministrationClient.Method, _ project: ProjectClient, verb: String? = nil,
    body: JSONObject? = nil
  ) async throws -> JSONObject {
    try await project.send(
      method, "emailTemplates", kind, "languages", language, verb: verb, body: body)
  }
}

struct ListMailTemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the project's own texts.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "emailTemplates")
      let templates = answer.objects("emailTemplates")
      project.say(answer) {
        guard !templates.isEmpty else {
          return Terminal.say(
            "\(project.project) has no texts of its own: the server's are used.")
        }
        var table = TextTable("EMAIL", "LANGUAGE", "SUBJECT", "HTML", "SET")
        for template in templates {
          table.add(
            template.shown("kind"), template.shown("language"), template.shown("subject"),
            template["html"] == nil ? "no" : "yes", template.shown("updateTime"))
        }
        table.say()
      }
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

  @Flag(help: "With example values in place of the names.")
  var preview = false

  func run() async throws {
    try await options.project.run { project in
      let template =
        preview
        ? try await options.send(.post, project, verb: "preview", body: [:])
        : try await options.send(.get, project)
      try project.say(template) { try template.sayEmail(html: html) }
    }
  }
}

extension JSONObject {
  /// An email's text, unchanged: it may have line breaks.
  func sayEmail(html: Bool) throws {
    if html {
      guard let html = self["html"]?.string else {
        throw CommandFailure("this email has only text")
      }
      return Terminal.say(html)
    }
    Terminal.say("Subject: \(self["subject"]?.string ?? "")\n\n\(self["text"]?.string ?? "")")
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

  func run() async throws {
    let body = JSONObject(ifPresent: [
      "subject": subject, "text": try Self.contents(of: textFile),
      "html": try htmlFile.map { try Self.contents(of: $0) },
    ])
    try await options.project.run { project in
      let template = try await options.send(.patch, project, body: body)
      project.say(template) {
        Terminal.say(
          "\(project.project) uses this text for \(options.kind) in \(template.shown("language")).")
      }
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

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: MailTemplateOptions

  func run() async throws {
    try await options.project.run { project in
      try confirmation.confirm(
        "Remove the project's text of \(options.kind) in \(options.language)?")
      let answer = try await options.send(.delete, project)
      project.say(answer) {
        Terminal.say(
          "\(project.project) uses the server's text for \(options.kind) in \(options.language).")
      }
    }
  }
}
