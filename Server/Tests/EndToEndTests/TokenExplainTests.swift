import Foundation
import Testing

/// `gatehouse token explain`, as users and scripts run it.
@Suite(.developmentServer)
struct TokenExplainTests {
  /// RFC 7515 appendix A.3, ES256: the key and the complete token.
  private static let vectorKeys: JSON = [
    "keys": [
      [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      ]
    ]
  ]
  private static let vector =
    "eyJhbGciOiJFUzI1NiJ9"
    + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  private func token() async throws -> String {
    let reply = try await suiteServer().app.signUp(Unique.email(), "a long password")
    return try #require(reply.json["idToken"].string)
  }

  private func explain(
    _ token: String, issuer: String = "https://securetoken.google.com/demo",
    audience: String = "demo", _ more: String...
  ) async throws -> Command {
    let keys = try suiteServer().baseURL + "/.well-known/jwks.json"
    return try await TemporaryFolder.with { folder in
      try await Command.run(
        [
          "token", "explain", "--jwks", keys, "--issuer", issuer, "--audience", audience,
        ] + more + ["-"], input: token + "\n", in: folder)
    }
  }

  @Test func `a valid token passes`() async throws {
    let token = try await token()
    let explained = try await explain(token)
    #expect(explained.status == 0, "\(explained.output)\(explained.errors)")
    #expect(explained.output.contains("pass"))
    #expect(!explained.output.contains("fail"))
    #expect(!explained.output.contains(token.suffix(40)))
    let json = JSON(reading: Data(try await explain(token, "--json").output.utf8))
    #expect(json["valid"] == true)
    #expect(json["checks"].array.count > 5)
  }

  @Test func `another audience fails one check, with the expected and actual values`()
    async throws
  {
    let explained = try await explain(try await token(), audience: "another-app", "--json")
    #expect(explained.status != 0)
    let json = JSON(reading: Data(explained.output.utf8))
    #expect(json["valid"] == false)
    let failed = json["checks"].array.filter { $0["verdict"] == "fail" }
    #expect(failed.count == 1)
    #expect(failed.first?["code"] == "audience")
    #expect(failed.first?["expected"].string?.contains("another-app") == true)
    #expect(failed.first?["got"].string?.contains("demo") == true)
  }

  @Test func `a changed signature fails`() async throws {
    let changed = try #require(JWTParts(try await token())).withChangedSignature
    let explained = try await explain(changed, "--json")
    #expect(explained.status != 0)
    let failed = JSON(reading: Data(explained.output.utf8))["checks"].array
      .filter { $0["verdict"] == "fail" }
    #expect(failed.compactMap { $0["code"].string } == ["signature"])
  }

  @Test func `a signature alone is checked for any payload`() async throws {
    try await TemporaryFolder.with { folder in
      let keys = try folder.write("keys.json", Self.vectorKeys.text)
      let good = try await Command.run(
        ["token", "explain", "--signature-only", "--jwks", keys, Self.vector], in: folder)
      #expect(good.status == 0, "\(good.output)\(good.errors)")
      let bad = try await Command.run(
        [
          "token", "explain", "--signature-only", "--json", "--jwks", keys,
          try #require(JWTParts(Self.vector)).withChangedSignature,
        ], in: folder)
      #expect(bad.status != 0)
      #expect(JSON(reading: Data(bad.output.utf8)) == ["valid": false, "code": "signature"])
    }
  }

  @Test func `a batch is answered line by line`() async throws {
    let changed = try #require(JWTParts(Self.vector)).withChangedSignature
    let lines = [Self.vector, changed, "x.y", Self.vector].map { jws -> String in
      let line: JSON = ["jwks": Self.vectorKeys, "jws": .string(jws)]
      return line.text
    }
    try await TemporaryFolder.with { folder in
      let file = try folder.write(
        "batch.jsonl", (lines + ["not JSON"]).joined(separator: "\n") + "\n")
      let answered = try await Command.run(
        ["token", "explain", "--signature-only", "--batch", file], in: folder)
      #expect(answered.status == 0)
      let answers = answered.lines.map { JSON(reading: Data($0.utf8)) }
      #expect(answers.map { $0["valid"].bool } == [true, false, false, true, false])
      #expect(answers[1]["code"] == "signature")
      #expect(answers[3]["code"] == "ok")
      #expect(answers[4]["code"] == "request")
    }
  }

  @Test func `without a key set it says which option to give`() async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(["token", "explain", "x.y.z"], in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("--jwks"))
      let missing = try await Command.run(
        ["token", "explain", "--signature-only", "--jwks", folder.path + "/none", "x.y.z"],
        in: folder)
      #expect(missing.status != 0)
      #expect(missing.errors.contains("can't be read"))
    }
  }
}
