import GatehouseClient
import Testing

@Suite struct DeletionPlanTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var linked: [Provider]
    var isRecent: Bool
    var change: @Sendable (inout DeletionFacts) -> Void
    var proof: DeletionPlan.Proof
    var revokes: Set<Provider>

    init(
      _ name: String, _ linked: [Provider], recent: Bool, proof: DeletionPlan.Proof,
      revokes: Set<Provider>, _ change: @escaping @Sendable (inout DeletionFacts) -> Void = { _ in }
    ) {
      testDescription = name
      self.linked = linked
      isRecent = recent
      self.proof = proof
      self.revokes = revokes
      self.change = change
    }
  }

  static let oidc: Provider = "oidc.example"

  static let situations: [Situation] = [
    Situation("Apple, recent", [.apple], recent: true, proof: .none, revokes: [.apple]),
    Situation("Apple, old", [.apple], recent: false, proof: .appleSheet, revokes: [.apple]),
    Situation("Google, recent", [.google], recent: true, proof: .none, revokes: [.google]),
    Situation("Google, old", [.google], recent: false, proof: .googleSheet, revokes: [.google]),
    Situation(
      "both, old: Apple's sheet is shown anyway", [.google, .apple], recent: false,
      proof: .appleSheet, revokes: [.apple, .google]),
    Situation(
      "both, recent", [.google, .apple], recent: true, proof: .none, revokes: [.apple, .google]),
    Situation(
      "both, old, Apple revoked by an earlier call: Google proves", [.apple, .google],
      recent: false, proof: .googleSheet, revokes: [.google]
    ) { $0.revoked = [.apple] },
    Situation(
      "both, old, both revoked by an earlier call: Google's new agreement goes again",
      [.apple, .google], recent: false, proof: .googleSheet, revokes: [.google]
    ) { $0.revoked = [.apple, .google] },
    Situation(
      "Apple, old, revoked by an earlier call: the new authorization is revoked, too", [.apple],
      recent: false, proof: .appleSheet, revokes: [.apple]
    ) { $0.revoked = [.apple] },
    Situation(
      "Apple, recent, revoked by an earlier call", [.apple], recent: true, proof: .none, revokes: []
    ) { $0.revoked = [.apple] },
    Situation(
      "Apple, recent, revoked by the user", [.apple], recent: true, proof: .none, revokes: []
    ) { $0.standing = [.apple: .revoked] },
    Situation(
      "Apple, recent, unknown to this device", [.apple], recent: true, proof: .none,
      revokes: [.apple]
    ) { $0.standing = [.apple: .notFound] },
    Situation(
      "both, recent, Google signed in on another device", [.apple, .google], recent: true,
      proof: .none, revokes: [.apple]
    ) { $0.standing = [.google: .notFound] },
    Situation(
      "Google, old, signed in on another device", [.google], recent: false, proof: .googleSheet,
      revokes: [.google]
    ) { $0.standing = [.google: .notFound] },
    Situation(
      "Apple, no sheet here, recent", [.apple], recent: true, proof: .none, revokes: []
    ) { $0.sheets = [] },
    Situation(
      "Apple, no sheet here, old", [.apple], recent: false, proof: .impossible, revokes: []
    ) { $0.sheets = [] },
    Situation("OpenID Connect, recent", [oidc], recent: true, proof: .none, revokes: []),
    Situation(
      "OpenID Connect, old", [oidc], recent: false, proof: .browser(oidc), revokes: []
    ) { $0.hasBrowser = true },
    Situation(
      "OpenID Connect, no browser, old", [oidc], recent: false, proof: .impossible, revokes: []),
    Situation("password, recent", [.password], recent: true, proof: .none, revokes: []),
    Situation("password, old", [.password], recent: false, proof: .impossible, revokes: []),
    Situation(
      "password, old, saved", [.password], recent: false, proof: .savedPassword, revokes: []
    ) { $0.sheets.insert(.password) },
    Situation(
      "password, old, given", [.password], recent: false, proof: .given(.password), revokes: []
    ) { $0.wish = .given(.password) },
    Situation(
      "password, recent, given for nothing", [.password], recent: true, proof: .none, revokes: []
    ) { $0.wish = .given(.password) },
    Situation(
      "password, old, the app asks", [.password], recent: false, proof: .askApp, revokes: []
    ) { $0.wish = .asking },
    Situation(
      "Apple and a password, old, the app would ask", [.password, .apple], recent: false,
      proof: .appleSheet, revokes: [.apple]
    ) { $0.wish = .asking },
    Situation(
      "both, old, by Google's wish", [.apple, .google], recent: false, proof: .googleSheet,
      revokes: [.apple, .google]
    ) { $0.wish = .by(.google) },
    Situation(
      "Apple, old, by Google, which isn't linked", [.apple], recent: false,
      proof: .impossible, revokes: [.apple]
    ) { $0.wish = .by(.google) },
    Situation(
      "Apple, old, not to be revoked", [.apple], recent: false, proof: .appleSheet, revokes: []
    ) { $0.revoking = [] },
    Situation("anonymous, old", [], recent: false, proof: .none, revokes: []) {
      $0.isAnonymous = true
    },
    Situation("a custom token's account, old", [], recent: false, proof: .impossible, revokes: []),
  ]

  @Test(arguments: situations)
  func `a deletion has the steps that its situation requires`(_ situation: Situation) {
    var facts = DeletionFacts(
      linked: situation.linked, isRecent: situation.isRecent, sheets: [.apple, .google])
    situation.change(&facts)
    let plan = DeletionPlan(facts)
    #expect(plan.proof == situation.proof)
    #expect(plan.revokesApple == situation.revokes.contains(.apple))
    #expect(plan.revokesGoogle == situation.revokes.contains(.google))
  }

  @Test(arguments: situations)
  func `a provider that isn't linked isn't revoked`(_ situation: Situation) {
    var facts = DeletionFacts(
      linked: situation.linked, isRecent: situation.isRecent, sheets: [.apple, .google])
    situation.change(&facts)
    facts.linked = [.password]
    let plan = DeletionPlan(facts)
    #expect(!plan.showsAppleSheet)
    #expect(!plan.revokesGoogle)
  }
}
