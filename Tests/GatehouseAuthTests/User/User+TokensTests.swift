import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UserTokensTests {
  @Test func `a valid token is returned without a request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = test.server.calls.count
    #expect(try await user.getIDToken() == user.getIDToken())
    #expect(test.server.calls.count == before)
  }

  @Test func `a thousand calls for an expired token send one request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.clock.advance(seconds: 3600)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<1000 { group.addTask { try await user.getIDToken() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    #expect(test.server.count("token") == 1)
  }

  @Test func `a forced refresh gets a new token, and works after a failure`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = try await user.getIDToken()
    test.server.refuse("token", "TOO_MANY_ATTEMPTS_TRY_LATER")
    #expect(await authError { _ = try await user.idTokenForcingRefresh(true) } != nil)
    #expect(try await user.idTokenForcingRefresh(true) != before)
  }

  @Test func `a token's result has the token's claims`() async throws {
    let test = try TestApp()
    let token = ScriptedServer.token(
      "ann@example.com", number: 7, at: test.clock.now,
      more: #","role":"admin","list":[1,true,null],"aaa":"ÿþ?>""#)
    test.server.next(
      "accounts:signInWithPassword",
      #"{"idToken":"\#(token)","refreshToken":"ann@example.com","expiresIn":"3600"}"#)
    let user = try await test.signedIn()
    let result = try await user.getIDTokenResult()
    #expect(result.token == token)
    #expect(result.signInProvider == "password")
    #expect(result.authDate == test.clock.now && result.issuedAtDate == test.clock.now)
    #expect(result.expirationDate == test.clock.now.addingTimeInterval(3600))
    #expect(result.claims["role"] as? String == "admin")
    #expect(result.claims["aaa"] as? String == "ÿþ?>")
  }

  @Test func `the interop call returns the current user's token, and nil without a user`()
    async throws
  {
    let test = try TestApp()
    let none = await withCheckedContinuation { continuation in
      test.auth.getToken(forcingRefresh: true) { token, error in
        #expect(error == nil)
        continuation.resume(returning: token)
      }
    }
    #expect(none == nil)
    let user = try await test.signedIn()
    let token = await withCheckedContinuation { continuation in
      test.auth.getToken(forcingRefresh: false) { token, _ in continuation.resume(returning: token)
      }
    }
    #expect(try await token == user.getIDToken())
  }
}
