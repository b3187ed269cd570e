import Foundation
import Testing

/// Attacks on the server by a provider's key endpoint, or by made-up key ids.
@Suite struct KeyEndpointTests {
  private struct Endpoints {
    let url: String
    let server: GatehouseServer

    func configure(_ name: String, issuer: String? = nil) async throws {
      let made = try await server.administrator.configure(
        "oidc.\(name)",
        ["issuer": .string(issuer ?? "\(url)/\(name)"), "clientId": "our-app", "enabled": true])
      #expect(made.verdict == "200")
    }

    func token(_ name: String, kid: String? = nil) async throws -> String {
      try #require(
        try await HTTP.post(
          "\(url)/test/token",
          .members(["issuer": name, "sub": "alice", "kid": kid])
        ).json["token"].string)
    }

    func signIn(_ name: String, _ token: String) async throws -> Reply {
      try await server.app.signIn(Credential(provider: "oidc.\(name)", idToken: token))
    }

    func fetches(_ path: String) async throws -> JSON {
      try await HTTP.get("\(url)/test/fetches").json[path]
    }
  }

  private static func header(kid: String) -> String {
    let json: JSON = ["alg": "RS256", "kid": .string(kid)]
    return Data(json.text.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func withEndpoints(
    _ arguments: [String] = [], _ body: (Endpoints) async throws -> Void
  ) async throws {
    try await Python.serve("key_endpoints.py") { place in
      let url = try #require(place["url"].string)
      try await GatehouseServer.with(GatehouseServer.Options(arguments: arguments)) { server in
        try await body(Endpoints(url: url, server: server))
      }
    }
  }

  @Test func `ten thousand made-up key ids cause one fetch a minute, and valid tokens still pass`()
    async throws
  {
    try await withEndpoints { endpoints in
      try await endpoints.configure("good")
      let good = try await endpoints.token("good")
      let start = ContinuousClock.now
      #expect(try await endpoints.signIn("good", good).verdict == "200")
      #expect(try await endpoints.fetches("/good/jwks") == 1)

      // Only the header differs: without a key, the rest isn't verified.
      let rest = good.drop { $0 != "." }
      let refusals = try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 0..<5 {
          group.addTask {
            var refused = 0
            for turn in 0..<2000 {
              let header = Self.header(kid: "\(worker)-\(turn)")
              let reply = try await endpoints.signIn("good", header + rest)
              if reply.message == "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature."
              {
                refused += 1
              }
            }
            return refused
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(refusals == 10_000)
      #expect(try await endpoints.signIn("good", good).verdict == "200")
      // The first unknown key id causes a fetch, because it may be a new key's. After that there is
      // at most one fetch a minute, and on a slow machine the loop takes several minutes.
      let minutes = Int((ContinuousClock.now - start) / .seconds(60))
      let allowed = 1...(2 + minutes)
      let fetches = try await endpoints.fetches("/good/jwks")
      #expect(allowed.map { JSON.number(Double($0)) }.contains(fetches))
      #expect(try await endpoints.fetches("/good/.well-known/openid-configuration") == 1)
    }
  }

  @Test(arguments: ["slow", "huge", "redirect", "private"])
  func `a faulty key endpoint fails once for many requests`(_ name: String) async throws {
    let patience = name == "slow" ? "2" : "60"
    try await withEndpoints(["--set", "outbound.seconds=\(patience)"]) { endpoints in
      try await endpoints.configure(name)
      let token = try await endpoints.token(name)
      let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 {
          group.addTask { try await endpoints.signIn(name, token).verdict }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(
        verdicts
          == ["400 INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer."])
      let asked = name == "private" ? JSON.null : 1
      #expect(try await endpoints.fetches("/\(name)/jwks") == asked)
      // The redirect's target isn't called.
      #expect(try await endpoints.fetches("/good/jwks") == .null)
      // The server works as before.
      try await endpoints.configure("good")
      let good = try await endpoints.token("good")
      #expect(try await endpoints.signIn("good", good).verdict == "200")
    }
  }
}
