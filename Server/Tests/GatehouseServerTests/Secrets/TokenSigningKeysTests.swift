import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// The keys of both algorithms, and a project's choice between them.
@Suite struct TokenSigningKeysTests {
  private struct PlainForms: SigningKeyForms {
    func signer(with key: SigningKey) -> any TokenSigner {
      switch key {
      case .rsa(let key): RS256Signer(key: key)
      case .p256(let key): ES256Signer(key: key)
      }
    }

    func certificate(of key: SigningKey, publishedAt: Date) -> String { key.keyID }
  }

  @Test func `a key of each algorithm is published before a project uses it, RS256 first`()
    async throws
  {
    try await withStore { store, _ in
      let now = World.start
      let keys = try await TokenSigningKeys.open(
        .idTokens, store: store, forms: PlainForms(), now: now)
      let entries = try JSONObject(parsing: keys.document)["keys"]?.array
      #expect(entries?.map { $0.object?["alg"] } == ["RS256", "ES256"])
      for algorithm in TokenAlgorithm.allCases {
        let signer = keys.writer(algorithm).signer
        #expect(signer.algorithm == algorithm.signature)
        #expect(keys.published.map(\.keyID).contains(signer.keyID))
        #expect(keys.keySet.keys.map(\.keyID).contains(signer.keyID))
      }
      let again = try await TokenSigningKeys.open(
        .idTokens, store: store, forms: PlainForms(), now: now)
      #expect(again.document == keys.document)
      let cookies = try await TokenSigningKeys.open(
        .sessionCookies, store: store, forms: PlainForms(), now: now)
      #expect(Set(cookies.published.map(\.keyID)).isDisjoint(with: keys.published.map(\.keyID)))
    }
  }

  @Test func `each algorithm's key is rotated on the same schedule`() async throws {
    try await withStore { store, _ in
      let keys = try await TokenSigningKeys.open(
        .idTokens, store: store, forms: PlainForms(), now: World.start)
      let first = TokenAlgorithm.allCases.map { keys.writer($0).signer.keyID }
      try await keys.refresh(now: World.start + 29 * 86_400)
      #expect(keys.published.count == 4)
      try await keys.refresh(now: World.start + 30 * 86_400)
      let second = TokenAlgorithm.allCases.map { keys.writer($0).signer.keyID }
      #expect(Set(second).isDisjoint(with: first))
    }
  }

  @Test func `a project's tokens, cookies and receipts have its algorithm`() async throws {
    try await withWorld { world in
      let project = world.project { $0.tokens.algorithm = .es256 }
      let ann = try await world.signIn(identity(), in: project).signedIn()
      let cookie = try await world.accounts.sessionCookie(
        forIDToken: ann.tokens.idToken, lifetimeSeconds: 3600, in: project, now: world.now)
      let deletion = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: project, now: world.now)
      for token in [ann.tokens.idToken, cookie, deletion.receipt] {
        #expect(try UnverifiedJWS(token).header.algorithm == .es256)
      }
    }
  }

  @Test func `tokens from before a change of the algorithm stay valid, and sessions go on`()
    async throws
  {
    try await withWorld { world in
      let changed = world.project { $0.tokens.algorithm = .es256 }
      let ann = try await world.signIn(identity()).signedIn()
      for project in [changed, world.project] {
        let user = try await world.accounts.currentUser(
          ofIDToken: ann.tokens.idToken, in: project, now: world.now)
        #expect(user.account.uid == ann.account.uid)
      }
      let refreshed = try await world.accounts.refresh(
        ann.tokens.refreshToken, in: changed, now: world.now)
      let idToken = refreshed.tokens.idToken
      #expect(try UnverifiedJWS(idToken).header.algorithm == .es256)
      for project in [changed, world.project] {
        _ = try await world.accounts.currentUser(
          ofIDToken: idToken, in: project, now: world.now)
      }
    }
  }

  @Test func `a stored project without the setting signs with RS256`() throws {
    let policies = try JSONDecoder().decode(ProjectPolicies.self, from: Data("{}".utf8))
    #expect(policies.tokens.algorithm == .rs256)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        ProjectPolicies.self, from: Data(#"{"tokens":{"algorithm":"none"}}"#.utf8))
    }
  }
}
