/// The steps that deleting an account needs, decided before anything is shown.
package struct DeletionPlan: Sendable, Hashable {
  /// How the user is re-authenticated.
  package enum Proof: Sendable, Hashable {
    /// Not needed: the sign-in is recent, or the account is anonymous.
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
  /// Whether to revoke at Apple, with the authorization code of its sheet.
  package var revokesApple: Bool
  package var revokesGoogle: Bool

  /// One sheet is enough for both revocation and re-authentication.
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
  /// The providers whose sheets the device can show. `password` means saved passwords.
  package var sheets: Set<Provider>
  package var hasBrowser = false
  package var revoking: Set<Provider> = [.apple, .google]
  /// The providers at which an earlier call revoked, if the user hasn't signed in with them since.
  package var revoked: Set<Provider> = []
  /// The providers at which the server revokes when the account is deleted.
  package var revokedByServer: Set<Provider> = []
  /// The state of the authorization at each provider; nil if the provider wasn't asked or couldn't
  /// tell.
  package var standing: [Provider: ProviderCredentialState] = [:]

  package init(linked: [Provider], isRecent: Bool, sheets: Set<Provider>) {
    self.linked = linked
    self.isRecent = isRecent
    self.sheets = sheets
  }
}

extension DeletionPlan {
  package init(_ facts: DeletionFacts) {
    // An authorization that the user already revoked needs no sheet.
    let apple = facts.canRevoke(.apple) && facts.standing[.apple] != .revoked
    proof = Self.proof(facts, appleSheetIsShown: apple)
    // If there was no authorization at Apple, the sheet creates one, which has to be revoked, too.
    revokesApple =
      apple
      || (proof == .appleSheet && facts.revoking.contains(.apple)
        && !facts.revokedByServer.contains(.apple))
    let google =
      facts.canRevoke(.google)
      && ![.revoked, .notFound].contains(facts.standing[.google] ?? .authorized)
    // Don't show Google's sheet only to revoke what it would authorize.
    revokesGoogle =
      google
      || (proof == .googleSheet && facts.revoking.contains(.google)
        && !facts.revokedByServer.contains(.google))
  }

  private static func proof(_ facts: DeletionFacts, appleSheetIsShown: Bool) -> Proof {
    // An anonymous account has no credential with which to re-authenticate.
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
      && !revoked.contains(provider) && !revokedByServer.contains(provider)
  }

  /// The re-authentication that the device can ask for.
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
