import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct MailDoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Check the mail server and the sender's domain.",
    discussion: """
      Takes the flags and environment variables of serve. It connects to the mail server, looks up \
      the DNS records that decide whether emails arrive or land in spam (SPF, DKIM, DMARC, MX), and \
      prints what to register with Apple. It sends nothing without --to. The exit status is 1 if \
      there is a fault.
      """)

  @OptionGroup var options: ServeOptions

  @Option(
    name: .customLong("dkim-selector"),
    help: "The selector of the DKIM key, which the mail provider names. May be repeated.")
  var dkimSelectors: [String] = []

  @Option(
    help: "The name server to ask, as IPv4 or IPv4:port. After a change, name the domain's own.")
  var nameServer: String?

  @Option(help: "Send a test email to this address.")
  var to: String?

  @OptionGroup var remote: RemoteOptions

  func run() async throws {
    let isDone: Void? = try await remote.withServer { client in
      var request = JSONObject(ifPresent: ["to": to])
      request["dkimSelectors"] = .array(dkimSelectors.map { .string($0) })
      try client.sayFindings(
        try await client.send(.post, ["v2", "server", "mail"], verb: "test", request))
    }
    if isDone != nil { return }
    let server = try nameServer.map(Self.server)
    let recipient = try to.map { try Mailbox(recipient: $0) }
    var report = DoctorReport()
    do {
      let configuration = try options.configuration()
      guard let settings = configuration.mail else {
        throw CommandFailure(MailExamination.notConfigured)
      }
      let examination = MailExamination(
        settings: settings, selectors: dkimSelectors,
        resolver: SystemDNSResolver(asking: server), outbound: configuration.mailWebhookClient())
      report.findings += await examination.findings(sendingTo: recipient)
    } catch let faults as ConfigurationFaults {
      report.findings += faults.faults.map {
        Finding("settings", .failed(remedy: "Correct it: `gatehouse serve --list-settings`."), $0)
      }
    }
    try report.say(asJSON: remote.json)
  }

  private static func server(_ text: String) throws -> SystemDNSResolver.Server {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let port = parts.count == 2 ? UInt16(parts[1]) : 53
    guard case .v4? = IPAddress(String(parts[0])), let port, port > 0 else {
      throw CommandFailure("--name-server “\(text)” is not an IPv4 address, or IPv4:port")
    }
    return SystemDNSResolver.Server(address: String(parts[0]), port: Int(port))
  }
}
