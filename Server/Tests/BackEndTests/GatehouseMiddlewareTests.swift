import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import GatehouseVerifier
@testable import example_notes_api

@Suite struct GatehouseMiddlewareTests {
  private struct Context: GatehouseRequestContext {
    var coreContext: CoreRequestContextStorage
    var authenticatedUser: AuthenticatedUser?

    init(source: Source) { coreContext = .init(source: source) }
  }

  /// The response.
  private struct Answer: Equatable {
    var status: Int
    var challenge: String?
    var body: String
  }

  private func answer(
    _ path: String, _ authorization: String..., setting: Setting? = nil
  ) async throws -> Answer {
    let setting = try setting ?? Setting()
    let verifier = setting.verifier
    let router = Router(context: Context.self)
    // Without any middleware.
    router.get("forgotten") { _, context in try context.auth.uid }
    router.group("public")
      .add(middleware: GatehouseMiddleware(verifier: verifier, requiresToken: false))
      .get { _, context in context.authenticatedUser?.uid ?? "nobody" }
    let signedIn = router.group("mine").add(middleware: GatehouseMiddleware(verifier: verifier))
    signedIn.get { _, context in try context.auth.uid }
    signedIn.get("users/:uid") { _, context in
      try context.requireUser(try context.parameters.require("uid")).uid
    }
    signedIn.get("admin") { _, context in
      try context.require { $0.claims.bool("admin") == true }.uid
    }
    signedIn.get("recent/:seconds") { _, context in
      let seconds = try context.parameters.require("seconds", as: Int.self)
      return try context.requireRecentSignIn(within: TimeInterval(seconds)).uid
    }
    router.group("alive")
      .add(middleware: GatehouseMiddleware(verifier: verifier, asksServer: true))
      .get { _, context in try context.auth.uid }
    var headers = HTTPFields()
    for value in authorization {
      headers.append(HTTPField(name: .authorization, value: value))
    }
    return try await Application(router: router).test(.router) { [headers] client in
      try await client.execute(uri: path, method: .get, headers: headers) { response in
        Answer(
          status: response.status.code, challenge: response.headers[.wwwAuthenticate],
          body: String(buffer: response.body))
      }
    }
  }

  private func message(_ text: String) -> String { #"{"error":{"message":"\#(text)"}}"# }

  @Test(arguments: ["Bearer", "bearer", "BEARER", "Bearer  "])
  func `a handler gets the user of the request`(_ scheme: String) async throws {
    #expect(
      try await answer("/mine", "\(scheme) \(try Fixture.token())")
        == Answer(status: 200, body: "alice"))
  }

  @Test func `without a token the response is a bare challenge`() async throws {
    #expect(
      try await answer("/mine")
        == Answer(status: 401, challenge: "Bearer", body: message("An ID token is required.")))
  }

  @Test func `a header with another scheme has no token`() async throws {
    #expect(
      try await answer("/mine", "Basic YWxpY2U6MTIz")
        == Answer(status: 401, challenge: "Bearer", body: message("An ID token is required.")))
  }

  @Test func `a token in the query is ignored`() async throws {
    let token = try Fixture.token()
    #expect(try await answer("/mine?access_token=\(token)").status == 401)
  }

  @Test func `the response to an invalid token says why`() async throws {
    let token = try Fixture.token(claims: { $0["exp"] = 1_699_999_000 })
    #expect(
      try await answer("/mine", "Bearer \(token)")
        == Answer(
          status: 401,
          challenge: #"Bearer error="invalid_token", error_description="The token has expired.""#,
          body: message("The token has expired.")))
  }

  @Test(arguments: [["Bearer"], ["Bearer "], ["Bearer a", "Bearer b"]])
  func `a malformed header is a bad request`(_ values: [String]) async throws {
    let answer =
      if values.count == 1 {
        try await answer("/mine", values[0])
      } else {
        try await answer("/mine", values[0], values[1])
      }
    #expect(answer.status == 400)
    #expect(
      answer.challenge
        == #"Bearer error="invalid_request", "#
        + #"error_description="The Authorization header is malformed.""#)
  }

  @Test func `an invalid token is refused even if no token is required`() async throws {
    #expect(try await answer("/public").body == "nobody")
    #expect(try await answer("/public", "Bearer \(try Fixture.token())").body == "alice")
    #expect(try await answer("/public", "Bearer a.b.c").status == 401)
  }

  @Test func `without the middleware no request is allowed`() async throws {
    #expect(try await answer("/forgotten", "Bearer \(try Fixture.token())").status == 401)
  }

  @Test func `only the owner is allowed`() async throws {
    let token = try Fixture.token()
    #expect(try await answer("/mine/users/alice", "Bearer \(token)").status == 200)
    #expect(
      try await answer("/mine/users/bob", "Bearer \(token)")
        == Answer(
          status: 403,
          challenge: #"Bearer error="insufficient_scope", "#
            + #"error_description="This account isn't allowed to do that.""#,
          body: message("This account isn't allowed to do that.")))
  }

  @Test func `a custom claim decides`() async throws {
    #expect(try await answer("/mine/admin", "Bearer \(try Fixture.token())").status == 200)
    let other = try Fixture.token(claims: { $0["admin"] = "true" })
    #expect(try await answer("/mine/admin", "Bearer \(other)").status == 403)
  }

  @Test func `the response to an old sign-in says how old it may be`() async throws {
    let token = try Fixture.token()
    #expect(try await answer("/mine/recent/600", "Bearer \(token)").status == 200)
    #expect(
      try await answer("/mine/recent/599", "Bearer \(token)")
        == Answer(
          status: 401,
          challenge: #"Bearer error="insufficient_user_authentication", "#
            + #"error_description="A more recent sign-in is required.", max_age="599""#,
          body: message("A more recent sign-in is required.")))
  }

  @Test func `without keys the response is 503`() async throws {
    let setting = try Setting()
    setting.server.fail(.timedOut)
    let answer = try await answer("/mine", "Bearer \(try Fixture.token())", setting: setting)
    #expect(
      answer
        == Answer(status: 503, body: message("The service can't verify tokens at the moment.")))
  }

  @Test func `a disabled account is refused if the server is asked`() async throws {
    let setting = try Setting()
    let keys = try Fixture.keySet(try Fixture.key)
    let over = ServerResponse(
      status: 400, body: Data(#"{"error":{"message":"USER_DISABLED"}}"#.utf8))
    setting.server.answer { request throws(ServerFault) in request.body == nil ? keys : over }
    let token = try Fixture.token()
    #expect(try await answer("/mine", "Bearer \(token)", setting: setting).status == 200)
    #expect(
      try await answer("/alive", "Bearer \(token)", setting: setting)
        == Answer(
          status: 401,
          challenge: #"Bearer error="invalid_token", error_description="The account is disabled.""#,
          body: message("The account is disabled.")))
  }
}
