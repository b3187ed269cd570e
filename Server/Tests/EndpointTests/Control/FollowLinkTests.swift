import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// `--dev`: the list of codes, and the effect of following a code's link.
@Suite struct FollowLinkTests {
  private static let email: JSONValue = "ada@example.com"

  /// Signs up, and lets an administrator create a link.
  private func link(
    _ server: TestServer, _ type: String, _ more: [String: JSONValue] = [:]
  ) async throws -> URLComponents {
    _ = try await server.call(.accounts("signUp", ["email": Self.email, "password": "secret1"]))
    var members: [(String, JSONValue)] = [
      ("requestType", .string(type)), ("email", Self.email), ("returnOobLink", true),
    ]
    members += more.map { ($0.key, $0.value) }
    let object = JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) })
    let reply = try await server.call(
      .admin(.post, "v1/projects/demo/accounts:sendOobCode", .object(object)).with { _ in })
    let text = try #require(reply["oobLink"]?.string)
    return try #require(URLComponents(string: text))
  }

  private func follow(
    _ server: TestServer, _ link: URLComponents, adding extra: String = ""
  ) async throws -> TestReply {
    let request = TestRequest(link.path).with {
      $0.method = .get
      $0.key = nil
      $0.query = (link.percentEncodedQuery ?? "") + extra
    }
    return try await server.call(request)
  }

  @Test func `a link leads to the emulator's action, with everything in it`() async throws {
    try await TestServer.with { server in
      let link = try await link(
        server, "PASSWORD_RESET", ["continueUrl": "http://localhost/a?b=c&d", "iOSBundleId": "a.b"])
      let fields = Dictionary(
        uniqueKeysWithValues: (link.queryItems ?? []).map { ($0.name, $0.value ?? "") })
      #expect(link.path == "/emulator/action")
      #expect(fields["mode"] == "resetPassword")
      #expect(fields["apiKey"] == "any-key")
      #expect(fields["continueUrl"] == "http://localhost/a?b=c&d")
      #expect(fields["lang"] == "en")
      #expect(fields["ibi"] == "a.b")
      #expect(fields["oobCode"]?.utf8.count == 43)
    }
  }

  @Test func `a password is reset by the link and the new password`() async throws {
    try await TestServer.with { server in
      let link = try await link(server, "PASSWORD_RESET")
      for extra in ["", "&newPassword=NEW_PASSWORD_HERE"] {
        let reply = try await follow(server, link, adding: extra)
        #expect(reply.status == 400)
        #expect(reply["authEmulator"]?["error"]?.string == "The new password is missing.")
      }
      let reply = try await follow(server, link, adding: "&newPassword=secret2")
      #expect(reply.status == 200)
      #expect(reply["authEmulator"]?["email"] == Self.email)
      let again = try await follow(server, link, adding: "&newPassword=secret3")
      #expect(again.status == 400)
      let signedIn = try await server.call(
        .accounts("signInWithPassword", ["email": Self.email, "password": "secret2"]))
      #expect(signedIn.status == 200)
    }
  }

  @Test(arguments: ["PASSWORD_RESET", "VERIFY_EMAIL"])
  func `a link to an address that the account gave up leads nowhere, and isn't listed`(
    _ type: String
  ) async throws {
    try await TestServer.with { server in
      let link = try await link(server, type)
      let list = TestRequest.admin(.get, "emulator/v1/projects/demo/oobCodes")
      #expect(try await server.call(list)["oobCodes"]?.array?.count == 1)
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["email": [Self.email]]))
      let moved = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          [
            "localId": try #require(found["users"]?.array?.first?["localId"]),
            "email": "moved@example.com",
          ]))
      #expect(moved.status == 200)
      let reply = try await follow(server, link, adding: "&newPassword=secret2")
      #expect(reply.status == 400)
      #expect(
        reply["authEmulator"]?["error"]?.string
          == "The link was already used, has expired, or is invalid for this mode.")
      #expect(try await server.call(list)["oobCodes"]?.array?.isEmpty == true)
    }
  }

  @Test func `an address is verified, and the user continues to the app`() async throws {
    try await TestServer.with { server in
      let link = try await link(
        server, "VERIFY_EMAIL", ["continueUrl": "http://localhost/done?a=1"])
      let reply = try await follow(server, link)
      #expect(reply.status == 303)
      #expect(reply.headers[.location] == "http://localhost/done?a=1")
      let again = try await follow(server, link)
      #expect(again.status == 400)
    }
  }

  @Test func `a sign-in goes to the app with the link's parameters, unused`() async throws {
    try await TestServer.with { server in
      let link = try await link(server, "EMAIL_SIGNIN", ["continueUrl": "http://localhost/in#top"])
      let reply = try await follow(server, link)
      #expect(reply.status == 303)
      let target = try #require(URLComponents(string: reply.headers[.location] ?? ""))
      #expect(target.fragment == "top")
      let items = target.queryItems ?? []
      #expect(items.contains(URLQueryItem(name: "mode", value: "signIn")))
      let code = try #require(items.first { $0.name == "oobCode" }?.value)
      let signedIn = try await server.call(
        .accounts("signInWithEmailLink", ["email": Self.email, "oobCode": .string(code)]))
      #expect(signedIn.status == 200)
    }
  }

  @Test func `a link whose target was changed leads nowhere`() async throws {
    try await TestServer.with { server in
      var link = try await link(server, "EMAIL_SIGNIN", ["continueUrl": "http://localhost/"])
      link.queryItems = link.queryItems?.map { item in
        item.name == "continueUrl"
          ? URLQueryItem(name: item.name, value: "javascript:alert(1)") : item
      }
      let reply = try await follow(server, link)
      #expect(reply.status == 400)
      #expect(reply.error?.hasPrefix("INVALID_CONTINUE_URI") == true)
    }
  }

  @Test func `a mode that doesn't fit the code does nothing`() async throws {
    try await TestServer.with { server in
      var link = try await link(server, "PASSWORD_RESET")
      link.queryItems = link.queryItems?.map { item in
        item.name == "mode" ? URLQueryItem(name: "mode", value: "verifyEmail") : item
      }
      #expect(try await follow(server, link).status == 400)
    }
  }

  @Test func `a page of another site can't list codes or follow links`() async throws {
    try await TestServer.with { server in
      for path in ["/emulator/v1/projects/demo/oobCodes", "/emulator/action"] {
        let request = TestRequest(path).with {
          $0.method = .get
          $0.headers[.origin] = "https://evil.example"
        }
        let reply = try await server.call(request)
        #expect(reply.status == 403)
        #expect(reply.headers[.accessControlAllowOrigin] == nil)
      }
    }
  }

  @Test func `production lists and follows nothing`() async throws {
    try await TestServer.with(.production) { server in
      for path in ["/emulator/v1/projects/demo/oobCodes", "/emulator/action"] {
        let request = TestRequest(path).with {
          $0.method = .get
          $0.key = nil
        }
        let reply = try await server.call(request)
        #expect(reply.status == 404)
      }
    }
  }
}
