import ArgumentParser
import Foundation
import GatehouseClient

/// The server, the project, the simulated person, and the folder for the session.
struct AppOptions: ParsableArguments {
  @Option(help: "The server's URL. Default: the one in --config, or \(standardServer).")
  var server: String?

  @Option(help: "The project's API key. A development server accepts any.")
  var apiKey: String?

  @Option(
    help: "A GoogleService-Info.plist or JSON file, as `gatehouse apps add` writes it.",
    completion: .file())
  var config: String?

  @Option(help: "The simulator's URL. Its sheets replace Apple's and Google's.")
  var simulator = "http://127.0.0.1:9100"

  @Option(help: "The simulated person who uses this device: alice or bob.")
  var person = "alice"

  @Option(help: "The folder for the session. Default: ~/.local/share/gatehouse-example.")
  var data: String?

  @Flag(help: "Print the address of a browser sign-in, instead of opening a browser.")
  var noBrowser = false

  static let standardServer = "http://127.0.0.1:9099"

  func configuration() throws -> ClientConfiguration {
    var made: ClientConfiguration
    if let config {
      made = try ClientConfiguration(
        contentsOf: URL(filePath: config), serverURL: try server.map { try url($0) })
    } else {
      made = try ClientConfiguration(
        serverURL: try url(server ?? Self.standardServer), apiKey: apiKey ?? "any")
    }
    // The command ends before a token expires.
    made.refreshesProactively = false
    return made
  }

  func store() throws -> FileStore {
    guard let data else { return try FileStore(application: "gatehouse-example") }
    return FileStore(directory: URL(filePath: data, directoryHint: .isDirectory))
  }

  /// The session's client, and the flows that use the sheets of this device.
  func manager() throws -> AccountManager {
    let configuration: ClientConfiguration
    do {
      configuration = try self.configuration()
    } catch let fault as ConfigurationFault {
      throw ValidationError(fault.description)
    }
    let store = try self.store()
    let transport = URLSessionTransport()
    let simulator = try url(self.simulator)
    let person = SimulatedPerson(self.person)
    let devices = AccountDevices(
      apple: SimulatedAppleSheet(
        simulatorURL: simulator, bundleID: configuration.bundleID ?? "com.example.app",
        person: person, transport: transport),
      google: SimulatedGoogleSignIn(
        simulatorURL: simulator, clientID: configuration.clientID ?? "demo.apps.example.com",
        person: person, transport: transport, store: store),
      web: LoopbackPresenter(opener: noBrowser ? .printing : .system))
    let client = AuthClient(configuration: configuration, store: store, transport: transport)
    return AccountManager(client: client, devices: devices) { joins in
      Terminal.confirm("This links: \(joins.joined(separator: ", ")). Do you agree?")
        ? Consent(version: "1", joins: joins) : nil
    }
  }

  private func url(_ text: String) throws -> URL {
    guard let url = URL(string: text), url.host() != nil else {
      throw ValidationError("\(text) is not the URL of a server")
    }
    return url
  }
}
