import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct TestMailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test email with the server's settings.",
    discussion: """
      Reads the settings mail.…, outbound.… and publicURL from the environment, a file, or --set, as \
      serve does. The exit status is 0 if the mail server or the webhook accepted the email.
      """)

  @Option(help: "The recipient's address.")
  var to: String

  @OptionGroup var options: SettingOptions
  @OptionGroup var remote: RemoteOptions

  func run() async throws {
    let recipient = try Mailbox(recipient: to)
    let isDone: Void? = try await remote.withServer { client in
      try client.sayFindings(
        try await client.send(
          .post, ["v2", "server", "mail"], verb: "test",
          ["to": .string(to), "checkDomain": false]))
    }
    if isDone != nil { return }
    let (settings, hosts, authorities) = try options.read { reader in
      let publicURL = reader.read(Settings.publicURL)
      return (
        reader.mail(publicURL: publicURL), reader.read(Settings.privateHosts),
        reader.read(Settings.privateAuthorities)
      )
    }
    guard let settings else { throw CommandFailure(MailExamination.notConfigured) }
    let outbound = OutboundClient(
      webhooksTo: hosts, authorities: authorities, seconds: MailSettings.webhookSeconds,
      clock: { Date() })
    let examination = MailExamination(
      settings: settings, selectors: [], resolver: SystemDNSResolver(asking: nil),
      outbound: outbound)
    try DoctorReport([await examination.testEmail(to: recipient)]).say(asJSON: remote.json)
  }
}
