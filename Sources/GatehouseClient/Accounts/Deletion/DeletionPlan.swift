/// What deleting an account takes, decided before anything is shown.
package struct DeletionPlan: Sendable, Hashable {
  /// How the person proves again who they are.
  package enum Proof: Sendable, Hashable {
    /// They did a moment ago, or there is nobody to ask: an anonymous account.
    case none
    case appleSheet
    case googleSheet
    case browser(Provider)
    case savedPassword
    /// The credential that the app passed.
    case given(Provider)
    case askApp
    case impossible
  }

  package var proof: Proof
  /// By the code of a sheet.
  package var revokesApple: Bool
  package var revokesGoogle: Bool

  /// One sheet serves both.
  package var showsAppleSheet: Bool { revokesApple || proof == .appleSheet }
}

/// What a ``DeletionPlan`` depends on.
package struct DeletionFacts: Sendable, Hashable {
  package enum Wish: Sendable, Hashable {
    case automatic
    case by(Provider)
    case given(Provider)
    case asking
  }

  package var linked: [Provider]
  package var isAnonymous = false
  package var isRecent: Bool
  package var wish = Wish.automatic
  /// By whose sheet the device can ask. `password` are saved ones.
  package var sheets: Set<Provider>
  package var hasBrowser = false
  package var revoking: Set<Provider> = [.apple, .google]
  /// Revoked by an earlier call, and not signed in to since.
  package var revoked: Set<Provider> = []
  /// What the providers say; nil if they weren't asked or couldn't tell.
  package var standing: [Provider: ProviderCredentialState] = [:]

  package init(linked: [Provider], isRecent: Bool, sheets: Set<Provider>) {
    self.linked = linked
    self.isRecent = isRecent
    self.sheets = sheets
  }
}

extension DeletionPlan {
  package init(_ facts: DeletionFacts) {
    // What the person took back already needs no sheet.
    let apple = facts.canRevoke(.apple) && facts.standing[.apple] != .revoked
    proof = Self.proof(facts, appleSheetIsShown: apple)
    // A sheet makes a new agreement at Apple if there was none: it has to go, too.
    revokesApple = apple || (proof == .appleSheet && facts.revoking.contains(.apple))
    let google =
      facts.canRevoke(.google)
      && ![.revoked, .notFound].contains(facts.standing[.google] ?? .authorized)
    // Nobody is asked to sign in to Google for the sake of signing out there.
    revokesGoogle = google || (proof == .googleSheet && facts.revoking.contains(.google))
  }

  private static func proof(_ facts: DeletionFacts, appleSheetIsShown: Bool) -> Proof {
    // Who holds an anonymous account's token is all that it has of a person.
    if facts.isRecent || facts.isAnonymous { return .none }
    switch facts.wish {
    case .given(let provider): return .given(provider)
    case .by(let provider): return facts.sheet(of: provider) ?? .impossible
    case .automatic, .asking:
      if appleSheetIsShown { return .appleSheet }
      let order = [.google, .apple] + facts.linked.filter { $0.isInBrowser }
      if let proof = order.compactMap({ facts.sheet(of: $0) }).first { return proof }
      if facts.wish == .asking { return .askApp }
      return facts.sheet(of: .password) ?? .impossible
    }
  }
}

extension DeletionFacts {
  fileprivate func canRevoke(_ provider: Provider) -> Bool {
    linked.contains(provider) && sheets.contains(provider) && revoking.contains(provider)
      && !revoked.contains(provider)
  }

  /// The proof that the device can ask for.
  fileprivate func sheet(of provider: Provider) -> DeletionPlan.Proof? {
    guard linked.contains(provider) else { return nil }
    switch provider {
    case .apple where sheets.contains(.apple): return .appleSheet
    case .google where sheets.contains(.google): return .googleSheet
    case .password: return sheets.contains(.password) ? .savedPassword : nil
    default: return provider.isInBrowser && hasBrowser ? .browser(provider) : nil
    }
  }
}

extension Provider {
  fileprivate var isInBrowser: Bool {
    ![.password, .phone, .anonymous, .custom].contains(self)
  }
}
