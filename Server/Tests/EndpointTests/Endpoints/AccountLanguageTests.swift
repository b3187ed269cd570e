import Foundation
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Testing

/// The language that the app names at a sign-in (`X-Firebase-Locale`) becomes the account's: later
/// emails that no request of the user's caused are in it.
@Suite struct AccountLanguageTests {
  private static let email: JSONValue = "ada@example.com"

  /// A way to sign in: signs in to the same account each time.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: @Sendable (TestServer) async throws -> TestRequest
  }

  static let ways = [
    Way(testDescription: "password") { server in
      let credentials: JSONValue = ["email": email, "password": "secret1"]
      // Refused if the account exists.
      _ = try await server.call(.accounts("signUp", credentials))
      return .accounts("signInWithPassword", credentials)
    },
    Way(testDescription: "custom token") { _ in
      // Unsigned, which a development server accepts.
      let start = Int64(TestServer.start.timeIntervalSince1970)
      let claims: JSONObject = [
        "iss": "robot@example.com", "sub": "robot@example.com",
        "aud":
          "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        "iat": .number(JSONNumber(start)), "exp": .number(JSONNumber(start + 3600)), "uid": "ada",
      ]
      let header: JSONObject = ["alg": "none", "typ": "JWT"]
      let token =
        "\(Base64URL.encode(header.serialized())).\(Base64URL.encode(claims.serialized()))."
      return .accounts("signInWithCustomToken", ["token": .string(token)])
    },
    Way(testDescription: "provider") { _ in
      FakeProviders.signIn(try FakeProviders.token(["sub": "ada"]))
    },
    Way(testDescription: "phone number") { server in
      let sent = try await server.call(
        .accounts("sendVerificationCode", ["phoneNumber": "+15555550100"]))
      let codes = try await server.call(
        .admin(.get, "emulator/v1/projects/demo/verificationCodes"))
      let code = codes["verificationCodes"]?.array?.last?["code"]
      return .accounts(
        "signInWithPhoneNumber",
        ["sessionInfo": sent["sessionInfo"] ?? .null, "code": code ?? .null])
    },
    Way(testDescription: "emailed link") { server in
      let sent = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": "EMAIL_SIGNIN", "email": email, "returnOobLink": true]))
      return .accounts(
        "signInWithEmailLink", ["email": email, "oobCode": sent["oobCode"] ?? .null])
    },
  ]

  @Test(arguments: ways)
  func `the account has the language of the latest sign-in that named one`(_ way: Way) async throws
  {
    try await TestServer.with { server in
      let signIns: [(named: String?, expected: String?)] = [
        (nil, nil), ("de", "de"), (nil, "de"), ("pt-BR", "pt-BR"), ("not a tag", "pt-BR"),
      ]
      for (named, expected) in signIns {
        let language = try await signIn(try await way.request(server), named, server)
        #expect(language == expected)
      }
    }
  }

  @Test(
    arguments: [
      [:], ["email": email, "password": "secret1"],
    ] as [JSONValue])
  func `a new account has the language of its sign-up`(_ body: JSONValue) async throws {
    try await TestServer.with { server in
      let language = try await signIn(.accounts("signUp", body), "vi", server)
      #expect(language == "vi")
    }
  }

  @Test(arguments: [(nil, "lang=de"), ("vi", "lang=vi")])
  func `a link is for a page in the request's language, or else in the account's`(
    _ language: String?, _ expected: String
  ) async throws {
    try await TestServer.with { server in
      let credentials: JSONValue = ["email": Self.email, "password": "secret1"]
      _ = try await signIn(.accounts("signUp", credentials), "de", server)
      let sent = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": "PASSWORD_RESET", "email": Self.email, "returnOobLink": true]
        ).with { if let language { $0.headers[headerName] = language } })
      let link = try #require(sent["oobLink"]?.string)
      #expect(link.split(whereSeparator: { "?&".contains($0) }).contains { $0 == expected })
    }
  }

  /// The language that the account has after the sign-in.
  private func signIn(
    _ request: TestRequest, _ language: String?, _ server: TestServer
  ) async throws -> String? {
    let reply = try await server.call(
      request.with { if let language { $0.headers[headerName] = language } })
    let idToken = try #require(reply["idToken"], "\(reply.text)")
    let users = try await server.call(.accounts("lookup", ["idToken": idToken]))
    return users["users"]?.array?.first?["language"]?.string
  }

  private let headerName = HTTPField.Name("x-firebase-locale") ?? .age
}
