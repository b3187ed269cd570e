import Foundation
import GatehouseClient

/// An app in a process of its own, for tests of what happens between processes and after a kill:
/// `ClientProcess <command> <server> <simulator> <folder of the store> <person>`.
@main
struct ClientProcess {
  private let client: AuthClient
  private let sheet: SimulatedAppleSheet

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 5 else { throw Misuse() }
    let command = arguments[0]
    let transport: any Transport =
      command == "sign-in-unanswered"
      ? UnansweredTransport(inner: URLSessionTransport()) : URLSessionTransport()
    let process = try ClientProcess(Array(arguments[1...]), transport)
    switch command {
    case "sign-in", "sign-in-unanswered": try await process.signIn()
    case "refresh": try await process.refresh()
    default: throw Misuse()
    }
  }

  private init(_ places: [String], _ transport: any Transport) throws {
    guard let server = URL(string: places[0]), let simulator = URL(string: places[1]) else {
      throw Misuse()
    }
    client = AuthClient(
      configuration: try ClientConfiguration(
        serverURL: server, apiKey: "any", projectID: "demo"),
      store: FileStore(directory: URL(filePath: places[2])), transport: transport)
    sheet = SimulatedAppleSheet(
      simulatorURL: simulator, bundleID: "com.example.app", person: SimulatedPerson(places[3]),
      transport: URLSessionTransport())
  }

  /// Says what the sheet told, then who is signed in and by which name.
  private func signIn() async throws {
    let nonce = Nonce()
    let answer = try await sheet.authorize(AppleAuthorizationRequest(nonce: nonce.sha256))
    say("sheet: \(answer.fullName?.givenName ?? "no name")")
    let result = try await client.signIn(
      with: .apple(
        idToken: String(decoding: answer.identityToken ?? Data(), as: UTF8.self), nonce: nonce,
        fullName: answer.fullName))
    say("signed in: \(result.snapshot.uid) \(result.snapshot.displayName ?? "no name")")
  }

  /// Asks for a new token again and again, as another process does.
  private func refresh() async throws {
    try client.load()
    guard let user = client.currentUser else { throw Misuse() }
    for _ in 0..<10 { _ = try await user.idToken(forcingRefresh: true) }
    say("still: \(user.uid)")
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private struct Misuse: Error {}
}

/// The request leaves, and no answer comes, ever.
private struct UnansweredTransport: Transport {
  let inner: any Transport

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    guard request.url.path().hasSuffix("accounts:signInWithIdp") else {
      return try await inner.send(request)
    }
    FileHandle.standardOutput.write(Data("sending\n".utf8))
    try? await Task.sleep(for: .seconds(600))
    throw .cancelled
  }
}
