import Foundation
import Testing

extension RelyingPartyTests {
  // MARK: Algorithms

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-sig-rs256`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["algorithm": "RS256"])
    #expect(try await party.signIn().verdict == "200")
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-sig-es256`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["algorithm": "ES256"])
    let keys = try await HTTP.get(party.issuer + "/jwks").json["keys"]
    #expect(keys[0]["kty"] == "EC")
    #expect(try await party.signIn().verdict == "200")
  }

  /// Accepted from the token endpoint only: a party that knows the client's secret isn't necessarily the
  /// provider.
  @Test(arguments: [(RelyingParty.Setting.code, "200"), (.idToken, Refusal.signature)])
  func `rp-id_token-sig-hs256`(_ setting: RelyingParty.Setting, _ verdict: String) async throws {
    let party = try await RelyingParty.make(setting, faults: ["algorithm": "HS256"])
    #expect(try await party.signIn().verdict == verdict)
  }

  /// As LINE and Authentik sign: without a key in the key set that could verify it.
  @Test func `HS256 of a provider without a signing key is accepted in the code flow`() async throws
  {
    let party = try await RelyingParty.make(
      faults: ["algorithm": "HS256", "setKey": ["use": "enc"], "omitHeader": ["kid"]])
    #expect(try await party.signIn().verdict == "200")
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `members and claims that are null or empty are absent`(
    _ setting: RelyingParty.Setting
  ) async throws {
    let party = try await RelyingParty.make(
      setting,
      faults: [
        "setClaims": ["azp": "", "nbf": .null, "at_hash": .null, "c_hash": ""],
        "setHeader": ["typ": "application/jwt"], "setKey": ["use": "", "key_ops": .null],
        "setDiscovery": ["revocation_endpoint": "", "response_modes_supported": .null],
      ])
    #expect(try await party.signIn().verdict == "200")
    let without = try await RelyingParty.make(setting, faults: ["setClaims": ["nonce": .null]])
    #expect(
      try await without.signIn().verdict
        == "400 MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token.")
  }

  /// Rejected, as a relying party may do.
  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-sig-none`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["algorithm": "none"])
    #expect(try await party.signIn().verdict == Refusal.signature)
  }

  // MARK: Bad signatures

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-bad-sig-rs256`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["badSignature": true])
    #expect(try await party.signIn().verdict == Refusal.signature)
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-bad-sig-es256`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(
      setting, faults: ["algorithm": "ES256", "badSignature": true])
    #expect(try await party.signIn().verdict == Refusal.signature)
  }

  @Test func `rp-id_token-bad-sig-hs256`() async throws {
    let party = try await RelyingParty.make(faults: ["algorithm": "HS256", "badSignature": true])
    #expect(try await party.signIn().verdict == Refusal.signature)
  }

  // MARK: Keys

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-kid-absent-single-jwks`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(
      setting, faults: ["omitHeader": ["kid"], "omitKey": ["kid"]])
    #expect(try await party.signIn().verdict == "200")
  }

  /// Rejected, as a relying party may do: "the first key that fits" would depend on the order in
  /// which the provider lists its keys.
  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-kid-absent-multiple-jwks`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(
      setting, faults: ["omitHeader": ["kid"], "omitKey": ["kid"], "duplicateKey": true])
    #expect(try await HTTP.get(party.issuer + "/jwks").json["keys"].array.count == 2)
    #expect(try await party.signIn().verdict == Refusal.signature)
  }

  @Test func `oidcc-client-test-ignores-unparseable-key-in-jwks`() async throws {
    let party = try await RelyingParty.make(
      faults: [
        "addKeys": [
          ["kty": "AKP", "alg": "ML-DSA-4096", "kid": "post-quantum", "pub": "AAAA"],
          ["kty": "MADE-UP", "kid": "made-up", "value": [1, 2]],
        ]
      ])
    #expect(try await HTTP.get(party.issuer + "/jwks").json["keys"].array.count == 3)
    #expect(try await party.signIn().verdict == "200")
  }

  @Test func `rp-key-rotation-op-sign-key`() async throws {
    let party = try await RelyingParty.make()
    let first = try await party.signIn()
    #expect(first.verdict == "200")
    try await party.rotateKeys()
    let second = try await party.signIn()
    #expect(second.verdict == "200")
    #expect(second.json["localId"] == first.json["localId"])
    #expect(try await party.requests("jwks") == 2)
  }

  /// The key changes after the keys were fetched and before the token is signed.
  @Test func `rp-key-rotation-op-sign-key-native`() async throws {
    let party = try await RelyingParty.make()
    let outcome = try await party.signIn { try await party.rotateKeys() }
    #expect(outcome.verdict == "200")
    #expect(try await party.requests("jwks") == 2)
  }
}

extension RelyingParty {
  /// Creates a new key and removes the old one.
  func rotateKeys() async throws {
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/simulator/rotate-keys",
      ["provider": .string("oidc/" + name), "keepOld": false])
    guard reply.status == 200 else { throw Unexpected(reply) }
  }
}
