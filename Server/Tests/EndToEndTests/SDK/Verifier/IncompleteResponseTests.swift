import Foundation
import GatehouseVerifier
import Testing

/// The verifier's transport against a server that closes the connection too early.
@Suite struct IncompleteResponseTests {
  @Test(arguments: ["/broken", "/half"])
  func `an incomplete response is a connection error`(path: String) async throws {
    try await MisbehavingServer.with { server in
      let request = ServerRequest(
        url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")),
        maximumBytes: 1024, timeout: 60)
      let fault = await #expect(throws: ServerFault.self) {
        try await URLSessionServerTransport().send(request)
      }
      guard case .connection = fault else {
        Issue.record("\(String(describing: fault))")
        return
      }
    }
  }
}
