import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct MailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Test the mail server, preview emails, and show what waits.",
    subcommands: [
      TestMailCommand.self, PreviewMailCommand.self, MailTemplatesCommand.self,
      MailQueueCommand.self, RetryMailCommand.self,
    ])
}

struct PreviewMailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview", abstract: "Print one of the server's own emails with example values.",
    discussion: "With --html, write the output to a file and open it in a browser.")

  @Argument(
    help: "The kind of email: \(MailKind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: String

  @Option(help: "A language tag, such as de.")
  var language = "en"

  @Option(help: "The name of the app.")
  var app = "Example"

  @Flag(help: "Print the HTML instead of the text.")
  var html = false

  func run() async throws {
    guard let kind = MailKind(rawValue: kind) else {
      let known = MailKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("“\(kind)” is not one of \(known)")
    }
    let values = MailValues.example(of: kind, appName: app)
    let (template, found) = try MailTemplates().template(for: kind, languages: [language])
    let content = template.rendered(values, in: found).reveal()
    if html {
      guard let html = content.html else { throw CommandFailure("this email has only text") }
      Terminal.say(html)
    } else {
      Terminal.say("Subject: \(content.subject)\n\n\(content.text)")
    }
  }
}
