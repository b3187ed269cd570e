import ArgumentParser
import Foundation
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

  func run() async throws {
    let recipient = try Mailbox(recipient: to)
    let (settings, outbound) = try settings()
    guard let message = settings.testMessage(to: recipient, now: Date()) else {
      throw CommandFailure("the sender's address has no usable domain")
    }
    let result = await settings.sendTest(message, by: outbound)
    try Self.report(result, settings)
  }

  /// - Returns: The settings, and the client that calls a webhook.
  private func settings() throws -> (MailSettings, OutboundClient) {
    let (settings, hosts, authorities) = try options.read { reader in
      let publicURL = reader.read(Settings.publicURL)
      return (
        reader.mail(publicURL: publicURL), reader.read(Settings.privateHosts),
        reader.read(Settings.privateAuthorities)
      )
    }
    guard let settings else {
      throw CommandFailure(
        "no mail server is configured: give \(Settings.mailServer.key) or "
          + "\(Settings.mailWebhook.key), and \(Settings.mailFrom.key)")
    }
    let outbound = OutboundClient(
      webhooksTo: hosts, authorities: authorities, seconds: MailSettings.webhookSeconds,
      clock: { Date() })
    return (settings, outbound)
  }

  private static func report(_ result: DeliveryResult, _ settings: MailSettings) throws {
    let host = settings.place
    let fault: String
    switch result {
    case .delivered(let reply):
      return Terminal.say("\(host) took the email: \(reply)")
    case .temporary(_, let text), .busy(_, let text): fault = "\(host) refuses it for now: \(text)"
    case .permanent(_, let text): fault = "\(host) refuses it: \(text)"
    case .unreachable(let reason): fault = "\(host) can't be reached: \(reason)"
    case .misconfigured(let reason): fault = "\(host) takes no mail from this server: \(reason)"
    case .unknown(let reason): fault = "whether \(host) took the email is unknown: \(reason)"
    }
    throw CommandFailure(fault)
  }
}
