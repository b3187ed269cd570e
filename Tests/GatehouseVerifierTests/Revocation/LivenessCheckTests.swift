import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseVerifier

@Suite struct LivenessCheckTests {
  /// A server with the usual keys and this response to the lookup.
  private func setting(_ status: Int, _ body: JSONValue) throws -> Setting {
    let setting = try Setting()
    let keys = try Fixture.keySet(try Fixture.key)
    let answer = ServerResponse(status: status, body: Data(body.text().utf8))
    setting.server.answer { request throws(ServerFault) in request.body == nil ? keys : answer }
    return setting
  }

  @Test func `the request has the token itself, and a valid session is accepted`() async throws {
    let setting = try setting(200, ["users": [["localId": "alice"]]])
    let token = try Fixture.token()
    #expect(try await setting.verifier.verifyAskingServer(token).uid == "alice")
    let request = try #require(setting.server.requests.last)
    #expect(request.url.absoluteString == "https://auth.example.com/v1/accounts:lookup")
    #expect(request.headers == ["x-goog-api-key": "gk_1"])
    #expect(request.body == Data(#"{"idToken":"\#(token)"}"#.utf8))
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", VerificationError.ended(.revoked)),
    ("USER_DISABLED", .ended(.disabled)), ("USER_NOT_FOUND", .ended(.deleted)),
    ("USER_DISABLED : by an administrator", .ended(.disabled)),
    ("INVALID_ID_TOKEN", .unavailable(.status(400))),
    ("SOMETHING_NEW", .unavailable(.status(400))),
  ])
  func `the server's error code determines the error`(
    _ message: String, _ error: VerificationError
  ) async throws {
    let setting = try setting(400, ["error": ["code": 400, "message": .string(message)]])
    let token = try Fixture.token()
    #expect(await refusal { try await setting.verifier.verifyAskingServer(token) } == error)
  }

  @Test(arguments: [false, true])
  func `a token whose key the server has discarded is refused`(isDiscarded: Bool) async throws {
    let setting = try Setting()
    let old = try Fixture.keySet(try Fixture.key)
    let new = try Fixture.keySet(try Fixture.otherKey)
    let unknown = JSONValue.object(["error": ["code": 400, "message": "INVALID_ID_TOKEN"]])
    setting.server.answer { request throws(ServerFault) in
      guard request.body == nil else {
        return ServerResponse(status: 400, body: Data(unknown.text().utf8))
      }
      return setting.server.count > 1 && isDiscarded ? new : old
    }
    let error = await refusal {
      try await setting.verifier.verifyAskingServer(try Fixture.token())
    }
    #expect(error?.code == (isDiscarded ? .keyUnknown : nil))
    #expect(isDiscarded || error == .unavailable(.status(400)))
    // The keys, the account, and the keys again.
    #expect(setting.server.count == 3)
  }

  @Test(
    arguments: [
      (200, ["users": [["localId": "bob"]]], ServerFault.malformed), (200, [:], .malformed),
      (200, ["users": []], .malformed), (503, [:], .status(503)),
      (302, [:], .status(302)),
    ] as [(Int, JSONValue, ServerFault)])
  func `a response that isn't about the user is refused`(
    _ status: Int, _ body: JSONValue, _ fault: ServerFault
  ) async throws {
    let setting = try setting(status, body)
    let token = try Fixture.token()
    #expect(
      await refusal { try await setting.verifier.verifyAskingServer(token) } == .unavailable(fault))
  }

  @Test func `without a response from the server no token is accepted`() async throws {
    let setting = try Setting()
    let keys = try Fixture.keySet(try Fixture.key)
    setting.server.answer { request throws(ServerFault) in
      guard request.body == nil else { throw .timedOut }
      return keys
    }
    let token = try Fixture.token()
    #expect(
      await refusal { try await setting.verifier.verifyAskingServer(token) }
        == .unavailable(.timedOut))
  }

  @Test func `the server isn't asked about an invalid token`() async throws {
    let setting = try setting(200, ["users": [["localId": "alice"]]])
    let token = try Fixture.token(claims: { $0["aud"] = "other" })
    #expect(
      await refusal { try await setting.verifier.verifyAskingServer(token) }?.code == .audience)
    #expect(setting.server.count == 1)
  }

  @Test func `the request about a cookie has it as sessionCookie`() async throws {
    let setting = try setting(200, ["users": [["localId": "alice"]]])
    let cookie = try Fixture.token(claims: {
      $0["iss"] = "https://auth.example.com/my-app/session"
    })
    _ = try await setting.cookieVerifier.verifyAskingServer(cookie)
    #expect(setting.server.requests.last?.body == Data(#"{"sessionCookie":"\#(cookie)"}"#.utf8))
  }
}
