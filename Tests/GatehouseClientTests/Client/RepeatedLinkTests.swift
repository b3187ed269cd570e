import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// A link that the server made before, because its response was lost or another device made it.
@Suite struct RepeatedLinkTests {
  /// A credential that the client sends again if no response arrives, and one that it sends once.
  enum Kind: CaseIterable { case pendingToken, tokenWithoutNonce, tokenWithNonce }

  private static func credential(_ kind: Kind) -> Credential {
    switch kind {
    case .pendingToken:
      var credential = IdentityProviderCredential(provider: .google)
      credential.pendingToken = "pending"
      return .identityProvider(credential)
    case .tokenWithoutNonce: return .google(idToken: "t")
    case .tokenWithNonce: return .google(idToken: "t", nonce: Nonce())
    }
  }

  private static let conflict = ScriptedTransport.answering {
    var response = SignInWithIdpResponse(providerID: "google.com")
    response.federatedID = "https://accounts.google.com/g-alice"
    response.errorMessage = "FEDERATED_USER_ID_ALREADY_LINKED"
    response.pendingToken = "again"
    return response
  }

  /// The account has `subject` at Google; before, the client doesn't know it.
  private func linked(_ subject: String) async throws -> (Bench, SignedInUser) {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:lookup") {
      var alice = Answers.alice()
      alice.providers.append(ProviderUserInfo(providerID: "google.com", rawID: subject))
      return LookupResponse(users: [alice])
    }
    return (bench, user)
  }

  @Test(arguments: [Kind.pendingToken, .tokenWithoutNonce])
  func `a link that is sent again after a lost response succeeds`(_ kind: Kind) async throws {
    let (bench, user) = try await linked("g-alice")
    bench.server.on(
      "accounts:signInWithIdp",
      inTurn: [
        ScriptedTransport.lost, Self.conflict,
        ScriptedTransport.answering { Answers.idp(now: bench.clock.now) },
      ])
    let before = user.heldIDToken
    try await user.link(Self.credential(kind))
    #expect(user.snapshot.provider(.google)?.uid == "g-alice")
    #expect(user.heldIDToken != before)
    let requests = bench.server.requests("accounts:signInWithIdp")
    #expect(requests.count == 4)
    let last = try #require(requests.last).message(SignInWithIdpRequest.self)
    #expect(last.pendingToken == "again")
    #expect(last.autoCreate == false)
    #expect(last.idToken == nil)
  }

  @Test(arguments: Kind.allCases)
  func `an identity that another device linked to the account is linked`(_ kind: Kind) async throws
  {
    let (bench, user) = try await linked("g-alice")
    bench.server.on(
      "accounts:signInWithIdp",
      inTurn: [
        Self.conflict, ScriptedTransport.answering { Answers.idp(now: bench.clock.now) },
      ])
    #expect(try await user.link(Self.credential(kind)).user == user)
    #expect(user.snapshot.provider(.google)?.uid == "g-alice")
  }

  @Test func `it is linked even if the re-authentication fails`() async throws {
    let (bench, user) = try await linked("g-alice")
    bench.server.on(
      "accounts:signInWithIdp",
      inTurn: [Self.conflict, ScriptedTransport.refusing("INVALID_PENDING_TOKEN")])
    let before = user.heldIDToken
    try await user.link(Self.credential(.tokenWithNonce))
    #expect(user.snapshot.provider(.google)?.uid == "g-alice")
    #expect(user.heldIDToken == before)
    #expect(bench.client.currentUser == user)
  }

  @Test(arguments: ["g-alice-2", "alice"])
  func `another identity of the same provider isn't taken for it`(_ subject: String) async throws {
    let (bench, user) = try await linked(subject)
    bench.server.on("accounts:signInWithIdp", inTurn: [ScriptedTransport.lost, Self.conflict])
    do {
      try await user.link(Self.credential(.tokenWithoutNonce))
      Issue.record("It was linked.")
    } catch .credentialInUse(let updated, _, let code) {
      #expect(updated?.pendingToken == "again")
      #expect(code == "FEDERATED_USER_ID_ALREADY_LINKED")
    }
    // No session of the other account was begun.
    #expect(bench.server.requests("accounts:signInWithIdp").count == 3)
  }

  @Test func `an identity whose id only ends alike is another account's`() async throws {
    let (bench, user) = try await linked("g-alice")
    bench.server.on(
      "accounts:signInWithIdp",
      inTurn: [
        Self.conflict,
        ScriptedTransport.answering { Answers.idp(uid: "bob", now: bench.clock.now) },
      ])
    do {
      try await user.link(Self.credential(.tokenWithoutNonce))
      Issue.record("It was linked.")
    } catch .credentialInUse(_, _, let code) {
      #expect(code == "FEDERATED_USER_ID_ALREADY_LINKED")
    }
    #expect(bench.client.currentUser == user)
  }
}
