import Foundation
import GatehouseClient
import Testing

/// Deletions in which every step works.
@Suite struct DeletionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var linked: [Provider]
    var signInBy: Provider
    var ageSeconds: Double
    var journal: [String]
    var revoked: [Provider]
    var notRevoked: [Provider] = []
  }

  static let rows: [Row] = [
    Row(
      testDescription: "Apple, recent", linked: [.apple], signInBy: .apple, ageSeconds: 284,
      journal: ["state apple", "sheet apple", "state apple", "revoke code-2", "delete"],
      revoked: [.apple]),
    Row(
      testDescription: "Apple, old", linked: [.apple], signInBy: .apple, ageSeconds: 285,
      journal: [
        "state apple", "sheet apple", "state apple", "reauthenticate apple.com", "revoke code-2",
        "delete",
      ], revoked: [.apple]),
    Row(
      testDescription: "Google, recent", linked: [.google], signInBy: .google, ageSeconds: 10,
      journal: ["state google", "disconnect google", "delete"], revoked: [.google]),
    Row(
      testDescription: "Google, old", linked: [.google], signInBy: .google, ageSeconds: 1000,
      journal: [
        "state google", "sheet google", "reauthenticate google.com", "disconnect google", "delete",
      ], revoked: [.google]),
    Row(
      testDescription: "both, old, by Google", linked: [.apple, .google], signInBy: .google,
      ageSeconds: 1000,
      journal: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-1", "disconnect google", "delete",
      ], revoked: [.apple, .google]),
    Row(
      testDescription: "both, old, signed in with Apple here: no Google account on the device",
      linked: [.apple, .google], signInBy: .apple, ageSeconds: 1000,
      journal: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "delete",
      ], revoked: [.apple], notRevoked: [.google]),
    Row(
      testDescription: "a password, recent", linked: [.password], signInBy: .password,
      ageSeconds: 10, journal: ["delete"], revoked: []),
    Row(
      testDescription: "OpenID Connect and a password, recent",
      linked: ["oidc.example", .password], signInBy: .password, ageSeconds: 10,
      journal: ["delete"], revoked: [], notRevoked: ["oidc.example"]),
  ]

  @Test(arguments: rows)
  func `re-authentication, revocation, deletion: in this order, with no unnecessary sheet`(
    _ row: Row
  ) async throws {
    let scene = try AccountScene(row.linked)
    try await scene.signIn(by: row.signInBy)
    scene.clock.advance(seconds: row.ageSeconds)
    let outcome = try await scene.manager.deleteAccount()
    #expect(
      outcome
        == .deleted(DeletionReceipt(revoked: row.revoked, notRevoked: row.notRevoked)))
    #expect(scene.journal.all == row.journal)
    #expect(scene.server.account()?.exists == false)
    #expect(scene.manager.authState == .signedOut)
    #expect(try scene.relaunched().authState == .signedOut)
  }

  @Test func `Apple that another device linked is revoked, too`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.server.set {
      $0.accounts[0].providers.append(LinkedProvider(provider: .apple, uid: "001.alice"))
    }
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple, .google], notRevoked: [])))
    #expect(scene.journal.count("revoke code-1") == 1)
  }

  @Test func `Apple that another device unlinked needs no sheet`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.set { $0.accounts[0].providers.removeFirst() }
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.google], notRevoked: [])))
    #expect(scene.journal.all == ["state google", "disconnect google", "delete"])
  }

  @Test func `the code isn't sent to re-authenticate, because it works once`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 1000)
    _ = try await scene.manager.deleteAccount()
    let proof = try #require(scene.server.bodies("reauthenticate").first?["postBody"]?.string)
    #expect(proof.contains("nonce="))
    #expect(!proof.contains("code="))
  }

  @Test func `an anonymous account is deleted without a question`() async throws {
    let scene = try AccountScene()
    try await scene.client.signInAnonymously()
    scene.clock.advance(seconds: 86_400)
    scene.journal.clear()
    let outcome = try await scene.manager.deleteAccount()
    #expect(outcome == .deleted(DeletionReceipt(revoked: [], notRevoked: [])))
    #expect(scene.journal.all == ["token", "delete"])
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `the age is the server's, whatever the device's clock says`() async throws {
    for ahead in [-86_400.0, 86_400] {
      let scene = try AccountScene([.apple], serverIsAheadBy: ahead)
      try await scene.signIn()
      scene.clock.advance(seconds: 200)
      _ = try await scene.manager.deleteAccount()
      #expect(scene.journal.count("reauthenticate apple.com") == 0)

      let old = try AccountScene([.apple], serverIsAheadBy: ahead)
      try await old.signIn()
      old.clock.advance(seconds: 400)
      _ = try await old.manager.deleteAccount()
      #expect(old.journal.count("reauthenticate apple.com") == 1)
    }
  }

  @Test func `a sheet that is open for minutes makes a recent sign-in an old one`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 200)
    let clock = scene.clock
    scene.apple.set { $0.meanwhile = { clock.advance(seconds: 200) } }
    _ = try await scene.manager.deleteAccount()
    #expect(
      scene.journal.all == [
        "state apple", "sheet apple", "state apple", "reauthenticate apple.com", "revoke code-2",
        "delete",
      ])
  }

  @Test func `the profile's last sign-in doesn't make the session's recent`() async throws {
    // On this server the profile's last sign-in is always now.
    let scene = try AccountScene([.google])
    let user = try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 1000)
    try await user.reload()
    #expect(user.snapshot.lastSignInAt == scene.server.now)
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.count("sheet google") == 1)
  }

  @Test func `a project with a stricter limit causes one re-authentication`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.server.set { $0.recentSignInSeconds = 60 }
    scene.clock.advance(seconds: 100)
    let outcome = try await scene.manager.deleteAccount()
    #expect(outcome == .deleted(DeletionReceipt(revoked: [.google], notRevoked: [])))
    #expect(
      scene.journal.all == [
        "state google", "disconnect google", "delete", "sheet google", "reauthenticate google.com",
        "disconnect google", "delete",
      ])
  }

  @Test func `a sign-in that the server never accepts as recent is an error`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.server.set { $0.recentSignInSeconds = -1 }
    scene.clock.advance(seconds: 100)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .delete)
    #expect(error?.cause == .client(.needsRecentSignIn(providers: [.google])))
    #expect(scene.journal.count("sheet google") == 1)
  }

  @Test func `an authorization that the user revoked at Apple needs no sheet`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.apple.set { $0.standing = .success(.revoked) }
    let outcome = try await scene.manager.deleteAccount()
    #expect(outcome == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
    #expect(scene.journal.all == ["state apple", "delete"])
  }

  @Test func `an app that was transferred to another team accepts the new user id`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.apple.set {
      $0.standing = .success(.transferred)
      $0.subject = "002.alice"
    }
    let outcome = try await scene.manager.deleteAccount()
    #expect(outcome == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
  }
}
