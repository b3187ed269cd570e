import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct TestEventCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-event",
    abstract: "In development: make the simulator report an event to the server.",
    discussion: """
      Registers the server's notification URL with the running simulator, for the project's client, \
      lets the simulator send one event, and prints the server's response. The exit status is 0 if \
      the server accepted the event. The server handles it like a real event: account-deleted can \
      delete an account.
      """)

  /// The providers that report events.
  enum Reporter: String, ExpressibleByArgument, CaseIterable {
    case apple
    case google

    var id: ProviderID { self == .apple ? .apple : .google }
    var standardType: String { self == .apple ? "email-disabled" : "verification" }
    var displayName: String { self == .apple ? "Apple" : "Google" }
    /// The path of the simulator's call that sends an event.
    var path: String {
      self == .apple ? "/simulator/apple/notifications" : "/simulator/google/events"
    }
  }

  @Argument(help: "The provider: apple or google.")
  var provider: Reporter

  @Option(
    help: ArgumentHelp(
      "The event. Apple: email-disabled (default), email-enabled, consent-revoked, account-deleted. "
        + "Google: verification (default), sessions-revoked, tokens-revoked, account-disabled, "
        + "account-enabled, account-purged, account-credential-change-required."))
  var type: String?

  @Option(
    help:
      "The person's id. Default: the first who signed in with the provider. Verification needs none."
  )
  var person: String?

  @Option(
    help: ArgumentHelp(
      "The server's URL. Default: as the settings say, or \(Settings.developmentURL)."))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The simulator's port. Default: \(Settings.simulatorPort.listedStandard). Also "
        + "\(Settings.simulatorPort.environmentName)."))
  var simulatorPort: String?

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    let place = try place()
    // The database is closed afterwards, so that the server can write while it answers.
    let configuration = try await project.run { project in
      try await project.provider(provider.id.text).configuration
    }
    let registered = configuration.shown("notificationUrl")
    let receiver =
      if let url {
        (url.hasSuffix("/") ? String(url.dropLast()) : url) + Self.path(of: registered)
      } else {
        registered.hasPrefix("/") ? place.server + registered : registered
      }
    try await SimulatorClient.with(place.simulator) { simulator in
      let event = try await event(configuration, simulator)
      try await simulator.put(
        "/simulator/notification-url",
        [
          "provider": self.provider.rawValue, "client_id": event.clientID,
          "notification_url": receiver,
        ])
      let answer = try await simulator.post(
        self.provider.path,
        ["client_id": event.clientID, "person": event.person, "type": event.type])
      try report(
        answer["notifications"]?.array?.first?.object ?? JSONObject(), event, at: receiver)
    }
  }

  /// The addresses of the server and the simulator by the settings.
  private func place() throws -> (server: String, simulator: String) {
    var reader = SettingReader(
      flags: [Settings.simulatorPort.key: simulatorPort], isDevelopment: true)
    let simulatorPort = reader.read(Settings.simulatorPort)
    let (host, port) = (reader.read(Settings.host), reader.read(Settings.port))
    let publicURL = reader.read(Settings.publicURL)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    guard simulatorPort > 0 else {
      throw CommandFailure(
        "the simulator is turned off: name its port with \(Settings.simulatorPort.flag)")
    }
    let own = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    return (publicURL ?? own, Settings.simulatorURL(port: simulatorPort))
  }

  /// `/v1/notifications/…`, without the server's URL.
  private static func path(of url: String) -> String {
    url.firstRange(of: "/v1/notifications/").map { String(url[$0.lowerBound...]) } ?? url
  }

  private struct Event {
    let type: String
    let clientID: String
    /// Nil for an event about no person.
    let person: String?
  }

  private func event(
    _ configuration: JSONObject, _ simulator: SimulatorClient
  ) async throws -> Event {
    let type = type ?? provider.standardType
    let known = configuration.strings("audiences")
    // Apple's web client is first in the configuration, but most projects have a native app.
    let apps = configuration["appleSignInConfig"]?.object?.strings("bundleIds") ?? []
    guard let usual = apps.first ?? known.first else {
      throw CommandFailure("\(provider.id) has no client: `gatehouse providers set` names one")
    }
    if type == "verification" { return Event(type: type, clientID: usual, person: person) }
    let signedIn = try await simulator.get("/simulator/apps?provider=\(provider.rawValue)")
    let own = (signedIn["apps"]?.array ?? []).first { app in
      guard let client = app["client_id"]?.string, let user = app["person"]?.string else {
        return false
      }
      return known.contains { $0.hasSameBytes(as: client) }
        && person.map { $0.hasSameBytes(as: user) } != false
    }
    if let own, let client = own["client_id"]?.string {
      return Event(type: type, clientID: client, person: own["person"]?.string)
    }
    guard let person else {
      throw CommandFailure(
        "nobody has signed in with \(provider.displayName) at the simulator: sign in first, or name "
          + "a person with --person")
    }
    return Event(type: type, clientID: usual, person: person)
  }

  private func report(_ sent: JSONObject, _ event: Event, at url: String) throws {
    let about = event.person.map { " about \($0)" } ?? ""
    Terminal.say("\(provider.id): \(event.type)\(about), for \(event.clientID), sent to \(url)")
    guard let status = sent["status"]?.int64 else {
      throw CommandFailure(
        "the server didn't answer at \(url): name its address with --url if it has another one")
    }
    let text = sent["answer"]?.string ?? ""
    Terminal.say("The server answered \(status)\(text.isEmpty ? "" : " \(text)")")
    guard sent["delivered"]?.bool == true else {
      throw CommandFailure(
        "\(provider.displayName) would send this event again: it was not accepted")
    }
  }
}
