import Crypto
import CryptoExtras
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing
import X509

@Suite struct KeysTests {
  private func get(_ path: String) -> TestRequest {
    TestRequest(path).with {
      $0.method = .get
      $0.key = nil
    }
  }

  private static let google = "securetoken@system.gserviceaccount.com"

  @Test func `the key set lists the key of the tokens, under each of its names`() async throws {
    try await TestServer.with { server in
      let token = try #require(try await server.call(.accounts("signUp"))["idToken"]?.string)
      let header = try #require(token.split(separator: ".").first)
      let kid = try JSONValue(parsing: try #require(Base64Text.decode(String(header))))["kid"]
      for path in [
        "/robot/v1/metadata/jwk/\(Self.google)", "/.well-known/jwks.json",
        "/demo/.well-known/jwks.json",
      ] {
        let reply = try await server.call(get(path))
        #expect(reply.headers[.cacheControl] == "public, max-age=3600, must-revalidate")
        let key = reply["keys"]?.array?.first
        #expect(key?["kid"] == kid)
        #expect(key?["kty"] == "RSA")
        #expect(key?["alg"] == "RS256")
        #expect(key?["d"] == nil)
      }
      #expect(try await server.call(get("/nobody/.well-known/jwks.json")).status == 404)
    }
  }

  @Test func `the certificates contain the keys that verify tokens`() async throws {
    try await TestServer.with { server in
      let token = try #require(try await server.call(.accounts("signUp"))["idToken"]?.string)
      let parts = token.split(separator: ".")
      let reply = try await server.call(get("/robot/v1/metadata/x509/\(Self.google)"))
      let member = try #require(reply.json.object?.members.first)
      let pem = try #require(member.value.string)
      #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
      // The certificate contains the DER of the key.
      let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }
      let der = try #require(Data(base64Encoded: lines.joined()))
      let spki = Data(try SharedKeys.signing.get().spkiDER)
      #expect(der.range(of: spki) != nil)
      let key = try _RSA.Signing.PublicKey(derRepresentation: spki)
      let signature = try #require(Base64Text.decode(String(parts[2])))
      #expect(
        key.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature),
          for: SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8)), padding: .insecurePKCS1v1_5)
      )
    }
  }

  @Test func `the cookies have other keys, under each of their names`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp"))
      let cookieKey = JSONValue.string(try SharedKeys.cookies.get().keyID)
      for path in ["/v1/sessionCookiePublicKeys", "/demo/session/.well-known/jwks.json"] {
        let reply = try await server.call(get(path))
        #expect(reply.headers[.cacheControl] == "public, max-age=3600, must-revalidate")
        #expect(reply["keys"]?.array?.first?["kid"] == cookieKey)
        #expect(reply["keys"]?.array?.map { $0["alg"] } == ["RS256", "ES256"])
      }
      for path in ["relyingparty/publicKeys", "identitytoolkit/v3/relyingparty/publicKeys"] {
        let reply = try await server.call(get("/www.googleapis.com/\(path)"))
        #expect(reply.json.object?.members.first.map { .string($0.name) } == cookieKey)
        #expect(reply.json.object?.members.count == 2)
        #expect(
          reply.json.object?.members.first?.value.string?.hasPrefix("-----BEGIN CERT") == true)
      }
      #expect(try await server.call(get("/nobody/session/.well-known/jwks.json")).status == 404)
    }
  }

  @Test func `discovery of the cookies names their issuer and key set`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp"))
      let reply = try await server.call(get("/demo/session/.well-known/openid-configuration"))
      #expect(reply["issuer"] == "https://session.firebase.google.com/demo")
      #expect(
        reply["jwks_uri"] == "https://auth.example.com/demo/session/.well-known/jwks.json")
      #expect(reply["authorization_endpoint"] == "https://auth.example.com/__/auth/handler")
    }
  }

  @Test func `a key's certificate is the same each time, and signed by the key itself`() throws {
    let key = SigningKey.rsa(try SharedKeys.signing.get())
    let pem = try SelfSignedCertificate.pem(of: key, publishedAt: TestServer.start)
    #expect(try SelfSignedCertificate.pem(of: key, publishedAt: TestServer.start) == pem)
    let certificate = try Certificate(pemEncoded: pem)
    #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    #expect(certificate.notValidBefore < TestServer.start)
    #expect(certificate.notValidAfter > TestServer.start.addingTimeInterval(9 * 365 * 86_400))
    let other = SigningKey.rsa(try SharedKeys.cookies.get())
    let another = try Certificate(
      pemEncoded: SelfSignedCertificate.pem(of: other, publishedAt: TestServer.start))
    #expect(another.serialNumber != certificate.serialNumber)
  }

  @Test func `the certificate of a P-256 key is signed by the key itself`() throws {
    let key = P256SigningKey.generate()
    let certificate = try Certificate(
      pemEncoded: SelfSignedCertificate.pem(of: .p256(key), publishedAt: TestServer.start))
    #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    #expect(certificate.publicKey == (try Certificate.PublicKey(derEncoded: key.spkiDER)))
  }

  @Test func `a project's algorithm is set, shown and named first in discovery`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp"))
      func algorithms() async throws -> JSONValue? {
        try await server.call(get("/demo/.well-known/openid-configuration"))[
          "id_token_signing_alg_values_supported"]
      }
      #expect(try await algorithms() == ["RS256", "ES256"])
      func set(_ algorithm: JSONValue) async throws -> TestReply {
        try await server.call(
          .admin(.patch, "v2/projects/demo/config", ["tokens": ["algorithm": algorithm]])
            .with { $0.query = "updateMask=tokens.algorithm" })
      }
      let changed = try await set("ES256")
      #expect(changed["tokens"]?["algorithm"] == "ES256")
      #expect(try await algorithms() == ["ES256", "RS256"])
      let token = try #require(try await server.call(.accounts("signUp"))["idToken"]?.string)
      #expect(try UnverifiedJWS(token).header.algorithm == .es256)
      let refused = try await set("none")
      #expect(refused.error == "INVALID_CONFIG : tokens.algorithm is one of RS256, ES256.")
    }
  }

  @Test func `discovery names the issuer of the tokens and the key set`() async throws {
    try await TestServer.with { server in
      let issuer = try await server.call(.accounts("signUp")).claims()["iss"]
      let reply = try await server.call(get("/demo/.well-known/openid-configuration"))
      #expect(reply["issuer"] == issuer)
      #expect(reply["jwks_uri"] == "https://auth.example.com/demo/.well-known/jwks.json")
      #expect(reply["authorization_endpoint"] == "https://auth.example.com/__/auth/handler")
      let root = try await server.call(get("/.well-known/openid-configuration"))
      #expect(root["jwks_uri"] == "https://auth.example.com/.well-known/jwks.json")
    }
  }

  @Test func `forwarding headers change nothing`() async throws {
    try await TestServer.with { server in
      var request = get("/demo/.well-known/openid-configuration")
      for name in ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for"] {
        request.headers[.init(name) ?? .age] = "evil.example.com"
      }
      let reply = try await server.call(request)
      #expect(!reply.text.contains("evil"))
    }
  }

  @Test func `health shows whether the store answers`() async throws {
    try await TestServer.with { server in
      for path in ["/livez", "/readyz"] {
        #expect(try await server.call(get(path)).text == #"{"status":"ok"}"#)
      }
      await server.store.close()
      #expect(try await server.call(get("/livez")).status == 200)
      let ready = try await server.call(get("/readyz"))
      #expect(ready.status == 503)
      #expect(ready.errorStatus == "UNAVAILABLE")
    }
  }
}
