import Foundation
import GatehouseVerifier
import Synchronization
import Testing

/// A back end during a rotation of a production server's keys.
@Suite struct RotatedKeyTests {
  /// The real transport, with a count of requests.
  private final class CountingTransport: ServerTransport {
    private let transport = URLSessionServerTransport()
    private let requests = Mutex(0)

    var count: Int { requests.withLock { $0 } }

    func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse {
      requests.withLock { $0 += 1 }
      return try await transport.send(request)
    }
  }

  private func token(_ production: Production, _ server: GatehouseServer) async throws -> String {
    let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
    let reply = try await app.signUp(Unique.email(), "correct horse")
    return try #require(reply.json["idToken"].string)
  }

  /// A token that is signed after the server has loaded the rotation.
  private func token(
    _ production: Production, _ server: GatehouseServer, notBy old: String
  ) async throws -> String {
    let header = { (token: String) in token.prefix { $0 != "." } }
    var token = old
    let isRotated = try await Deadline.wait {
      token = try await self.token(production, server)
      return header(token) != header(old)
    }
    try #require(isRotated)
    return token
  }

  private func verifier(
    _ production: Production, _ server: GatehouseServer, _ transport: CountingTransport
  ) throws -> IDTokenVerifier {
    IDTokenVerifier(
      try VerifierConfiguration(
        publicURL: Production.publicURL, projectID: production.project,
        reachedAt: server.baseURL, apiKey: production.apiKey),
      transport: transport)
  }

  @Test func `a new key is fetched with its first token, and old tokens stay valid`()
    async throws
  {
    try await Production.with { production, server, _ in
      let transport = CountingTransport()
      let verifier = try verifier(production, server, transport)
      let old = try await token(production, server)
      _ = try await verifier.verify(old)
      #expect(transport.count == 1)

      #expect(try await production.command("keys", "rotate", "--now").status == 0)
      let new = try await token(production, server, notBy: old)
      _ = try await verifier.verify(new)
      _ = try await verifier.verify(old)
      // The new key may have been published before the first fetch, as a scheduled key is a day
      // before its use. Then there is no second fetch.
      #expect(transport.count <= 2)
      #expect(try await verifier.verifyAskingServer(new).email != nil)
    }
  }

  @Test func `discarded keys are trusted only until the next token`()
    async throws
  {
    try await Production.with { production, server, _ in
      let verifier = try verifier(production, server, CountingTransport())
      let old = try await token(production, server)
      _ = try await verifier.verify(old)

      #expect(try await production.command("keys", "rotate", "--discard-all", "--yes").status == 0)
      let new = try await token(production, server, notBy: old)
      _ = try await verifier.verify(new)
      do {
        _ = try await verifier.verify(old)
        Issue.record("a token of a discarded key was accepted")
      } catch let error as VerificationError {
        guard case .refused(let refusal) = error else { throw error }
        #expect(refusal.code == .keyUnknown)
      }
    }
  }
}
