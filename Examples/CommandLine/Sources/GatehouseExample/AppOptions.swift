import ArgumentParser
import Foundation
import GatehouseClient

/// Which server and project, whose device, and where the session is kept.
struct AppOptions: ParsableArguments {
  @Option(help: "The server's URL: \(standardServer) unless --config says.")
  var server: String?

  @Option(help: "The project's key for its clients. A development server takes any.")
  var apiKey: String?

  @Option(
    help: "A GoogleService-Info.plist or JSON file, as `gatehouse apps add` makes it.",
    completion: .file())
  var config: String?

  @Option(help: "The simulator, whose sheets stand in for Apple's and Google's.")
  var simulator = "http://127.0.0.1:9100"

  @Option(help: "Whose device this is, by the simulator: alice and bob are there.")
  var person = "alice"

  @Option(help: "The folder for the session: ~/.local/share/gatehouse-example.")
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
    // The command is over before a token is.
    made.refreshesProactively = false
    return made
  }

  func store() throws -> FileStore {
    guard let data else { return try FileStore(application: "gatehouse-example") }
    return FileStore(directory: URL(filePath: data, directoryHint: .isDirectory))
  }

  /// The session's client, and the flows over it with what this device has.
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
      Terminal.confirm("This brings together: \(joins.joined(separator: ", ")). Do you agree?")
        ? Consent(version: "1", joins: joins) : nil
    }
  }

  private func url(_ text: String) throws -> URL {
    guard let url = URL(string: text), url.host() != nil else {
      throw ValidationError("\(text) is no URL of a server")
    }
    return url
  }
}
