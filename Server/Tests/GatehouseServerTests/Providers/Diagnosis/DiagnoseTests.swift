import Crypto
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct DiagnoseTests {
  @Test func `a correct provider has only findings that are ok`() async throws {
    let provider = try Provider()
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(findings.map(\.check) == ["audiences", "discovery", "keys"])
    #expect(findings.allSatisfy { $0.verdict == .ok })
  }

  @Test func `Apple is asked whether it accepts the client secret`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_grant"])
    let good = await provider.federation.diagnose(Provider.apple(), now: provider.now)
    #expect(good.map(\.check) == ["audiences", "keys", "client secret"])
    #expect(good.allSatisfy { $0.verdict == .ok })

    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_client"])
    let bad = await provider.federation.diagnose(Provider.apple(), now: provider.now)
    guard case .failed = try #require(bad.last).verdict else {
      Issue.record("\(bad)")
      return
    }
  }

  @Test(arguments: [(true, false, true), (true, true, false), (false, false, false)])
  func `kept refresh tokens that nothing can revoke are reported`(
    _ keepsTokens: Bool, _ canRevoke: Bool, _ isReported: Bool
  ) async throws {
    let provider = try Provider(discovery: canRevoke ? [:] : ["revocation_endpoint": .null])
      .configured { $0.keepsRefreshToken = keepsTokens }
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    let found = findings.first { $0.check == "revocation" }
    guard isReported else {
      #expect(found == nil)
      return
    }
    guard case .warning(let remedy) = found?.verdict else { throw Missing() }
    #expect(remedy.hasPrefix("Set --no-keep-refresh-token"))
  }

  private func withKey(
    _ discovery: JSONObject = ["token_endpoint_auth_methods_supported": ["private_key_jwt"]],
    answer: String = "invalid_grant"
  ) async throws -> [Finding] {
    let provider = try Provider(discovery: discovery).configured {
      $0.clientKey = ClientKey(privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    }
    provider.transport.on(Provider.token, status: 400, ["error": .string(answer)])
    return await provider.federation.diagnose(provider.configuration, now: provider.now)
  }

  @Test func `a provider is asked whether it accepts our assertion`() async throws {
    let good = try await withKey()
    #expect(good.map(\.check) == ["audiences", "discovery", "keys", "client key"])
    #expect(good.allSatisfy { $0.verdict == .ok })
    guard case .failed(let remedy) = try await withKey(answer: "invalid_client").last?.verdict
    else { throw Missing() }
    #expect(remedy.contains("gatehouse providers jwks oidc.example"))
    guard case .warning = try await withKey(answer: "invalid_request").last?.verdict else {
      throw Missing()
    }
  }

  @Test func `a provider without private_key_jwt or the algorithm is reported`() async throws {
    let unnamed = try await withKey([:])
    guard case .warning = unnamed.first(where: { $0.check == "client key" })?.verdict else {
      throw Missing()
    }
    let other = try await withKey([
      "token_endpoint_auth_methods_supported": ["private_key_jwt"],
      "token_endpoint_auth_signing_alg_values_supported": ["PS256"],
    ])
    #expect(
      other.first { $0.check == "client key" }?.verdict
        == .failed(remedy: "Use a key for one of: PS256"))
  }

  @Test func `a response mode that the provider doesn't support is reported`() async throws {
    let provider = try Provider().configured { $0.responseMode = .formPost }
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(
      findings.last?.verdict
        == .failed(
          remedy: "Leave --response-mode out, or give one of these: query, fragment"))
  }

  @Test(arguments: [
    ("invalid_grant", 400, "ok"), ("redirect_uri_mismatch", 400, "ok"),
    ("invalid_client", 401, "failed"), ("unauthorized_client", 400, "failed"),
    ("invalid_request", 400, "warning"), ("server_error", 500, "warning"),
  ])
  func `a client secret is tested with a code that doesn't exist`(
    _ error: String, _ status: Int, _ verdict: String
  ) async throws {
    let provider = try Provider().configured { $0.clientSecret = Secret("s") }
    var google = Provider.google()
    google.clientSecret = Secret("s")
    for url in [Provider.token, "https://oauth2.googleapis.com/token"] {
      provider.transport.on(url, status: status, ["error": .string(error)])
    }
    for configuration in [provider.configuration, google] {
      let findings = await provider.federation.diagnose(configuration, now: provider.now)
      let finding = try #require(findings.first { $0.check == "client secret" })
      switch finding.verdict {
      case .ok: #expect(verdict == "ok")
      case .warning: #expect(verdict == "warning")
      case .failed(let remedy):
        #expect(verdict == "failed")
        #expect(remedy.hasPrefix("Compare the client id and the client secret"))
        #expect(finding.detail.contains(error))
      }
    }
  }

  private struct Missing: Error {}

  @Test func `a missing setting is named in the remedy`() async throws {
    let provider = try Provider()
    var configuration = Provider.apple()
    configuration.apple?.keyID = nil
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    #expect(
      findings.last?.verdict
        == .failed(remedy: "Set appleSignInConfig.codeFlowConfig.keyId."))
  }

  @Test func `without Apple's key ID tokens sign in, and a command is the remedy`() async throws {
    let provider = try Provider()
    var configuration = Provider.apple()
    configuration.apple?.teamID = nil
    configuration.apple?.keyID = nil
    configuration.apple?.privateKey = nil
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    guard case .warning(let remedy) = try #require(findings.last).verdict else {
      Issue.record("\(findings)")
      return
    }
    #expect(remedy.contains("gatehouse providers set apple --team-id … --key-id … --key-file …"))
  }

  @Test func `the remedy contains the other issuer in the discovery document`() async throws {
    let provider = try Provider(discovery: ["issuer": "https://idp.example.com/"])
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(findings.last?.check == "discovery")
    #expect(
      findings.last?.verdict
        == .failed(
          remedy: "Set the issuer to exactly https://idp.example.com/, if that is your provider."))
  }

  @Test func `an issuer that serves no document is advised with the place of the document`()
    async throws
  {
    let provider = try Provider(discovery: ["issuer": "https://world.example.com/"])
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(
      findings.last?.verdict
        == .failed(
          remedy:
            "If your provider's tokens have the issuer https://world.example.com/, set it as the "
            + "issuer and keep this document with --discovery-url \(Provider.discovery) "
            + "(discoveryUrl over HTTP)."
        ))
  }

  @Test func `a template in place of an issuer isn't advised as the issuer`() async throws {
    let provider = try Provider(
      discovery: ["issuer": "https://login.microsoftonline.com/{tenantid}/v2.0"])
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    guard case .failed(let remedy) = findings.last?.verdict else { throw Missing() }
    #expect(remedy.hasPrefix("The document is a template for many tenants."))
    #expect(!remedy.contains("{tenantid}"))
  }

  @Test func `a provider that can encrypt userinfo is named`() async throws {
    let provider = try Provider(
      discovery: ["userinfo_encryption_alg_values_supported": ["RSA-OAEP"]])
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(findings.map(\.check) == ["audiences", "discovery", "userinfo", "keys"])
    #expect(findings[2].detail.contains("userinfo_encrypted_response_alg"))
  }

  @Test func `both a disabled provider and missing audiences are reported`() async throws {
    let provider = try Provider()
    let configuration = ProviderConfiguration(id: .google, clientID: "", trustEmail: .never)
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    #expect(findings.map(\.check) == ["audiences", "enabled", "keys"])
  }

  private func keyFindings(
    _ keys: [JSONValue], _ change: (inout ProviderConfiguration) -> Void = { _ in }
  ) async throws -> [Finding] {
    let provider = try Provider().configured(change)
    provider.transport.on(Provider.keys, ["keys": .array(keys)])
    provider.transport.on(Provider.token, status: 400, ["error": "invalid_grant"])
    return await provider.federation.diagnose(provider.configuration, now: provider.now)
      .filter { $0.check == "keys" }
  }

  @Test func `keys that a sign-in can tell apart are right, and others fail`() async throws {
    let key = TestKey.p256("k")
    let rsa = try #require(TestKey.rsa).named("k")
    let told = try await keyFindings([try key.jwk(), try rsa.jwk(), try key.jwk()])
    #expect(told.map(\.verdict) == [.ok])
    #expect(told.first?.detail == "3 usable, valid for 3600 seconds")

    let unclear = try await keyFindings([try key.jwk(), try TestKey.p256("k").jwk()])
    #expect(
      unclear.last?.detail
        == "there are different keys for ES256 with the kid k: their tokens are rejected")
    guard case .failed = unclear.last?.verdict else { throw Missing() }
    let unnamed = try await keyFindings([
      try TestKey.p256(nil).jwk(), try TestKey.p256(nil).jwk(),
    ])
    #expect(
      unnamed.last?.detail
        == "there are different keys for ES256 without a kid: their tokens are rejected")
  }

  @Test func `a malformed key is named, with its member`() async throws {
    let key = TestKey.p256("k1")
    var jwk = try #require(try key.jwk().object)
    jwk["x"] = "not base64url"
    let found = try await keyFindings([.object(jwk), try TestKey.p256("k2").jwk()])
    #expect(
      found.map(\.detail) == [
        "1 usable, valid for 3600 seconds", "not used: key k1: x is not base64url",
      ])
  }

  @Test(arguments: [
    (nil, "failed"), ("0123456789abcdef0123456789abcdef", "warning"), ("short", "failed"),
  ])
  func `a provider without keys is reported, with what still works`(
    _ secret: String?, _ verdict: String
  ) async throws {
    let found = try await keyFindings([]) {
      $0.clientSecret = secret.map { Secret($0) }
      $0.responseType.code = secret != nil
    }
    let finding = try #require(found.first)
    #expect(found.count == 1)
    #expect(finding.detail.hasPrefix("the provider publishes no keys, so no ID token"))
    switch finding.verdict {
    case .ok: throw Missing()
    case .warning: #expect(verdict == "warning")
    case .failed(let remedy):
      #expect(verdict == "failed")
      #expect(remedy.contains("32 bytes") == (secret != nil))
    }
  }

  @Test func `a member that the discovery document lacks is asked of the provider`() async throws {
    let error = FederationError.incompleteConfiguration(
      provider: try #require(ProviderID("oidc.example")), setting: "token_endpoint")
    #expect(
      error.description == "the discovery document of oidc.example has no usable token_endpoint")
    let provider = try Provider(discovery: ["token_endpoint": .null]).configured {
      $0.clientSecret = Secret("s")
    }
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    guard case .failed(let remedy) = findings.last?.verdict else { throw Missing() }
    #expect(remedy == "Ask the provider: its discovery document has to name token_endpoint.")
  }
}
