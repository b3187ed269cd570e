/// Everything that a project may decide about its accounts, in one place.
///
/// Stored as a document: a key that a stored document lacks takes its default, so a new policy needs
/// no migration.
package struct ProjectPolicies: Hashable, Sendable, Codable {
  /// Several accounts may have identities with the same email address. Off, as in Firebase.
  package var allowsDuplicateEmails = false
  /// No answer tells whether an address has an account.
  package var protectsEmails = true
  package var allowsPasswords = true
  /// Whether people sign in by a link that is sent to their address. Off, as in Firebase.
  package var allowsEmailLinks = false
  /// What a new password has to be.
  package var passwordPolicy = PasswordPolicy()
  package var allowsAnonymous = false
  /// Only an administrator creates accounts.
  package var refusesSignUp = false
  /// Only an administrator deletes accounts.
  package var refusesDeletion = false
  /// How long ago a sign-in may be for a change of password, email address or a deletion. Seconds.
  package var recentSignInSeconds = 300
  /// How long a refresh token still answers with the current one after its successor was first
  /// used. Before that it does so without a limit. Seconds.
  package var refreshGraceSeconds = 60
  /// Whether linking needs a recent sign-in. Off: apps offer it weeks after the sign-in, and what an
  /// old session links is confirmed by the next sign-in with another credential.
  package var linksNeedRecentSignIn = false
  /// Whether the last way into an account may be removed. On: the protocol allows it.
  package var allowsUnlinkingLast = true
  /// When guessing, and signing up by the hundred, is stopped.
  package var rateLimits = RateLimits()
  /// Whose nonces bind providers' tokens to requests.
  package var nonce = NonceSource.client
  /// When data may be joined to an account only with the person's consent.
  package var linkConsent = LinkConsent.off
  /// Where native apps may take the answer of a sign-in in a browser, compared byte for byte, besides
  /// what is always an app's own: see ``RedirectAddress``.
  package var redirectURLs: [String] = []
  /// Sign-in by text message.
  package var phone = PhonePolicy()

  package init() {}

  /// What the emulator's users expect of `--dev`.
  package static var development: ProjectPolicies {
    var policies = ProjectPolicies()
    policies.protectsEmails = false
    policies.allowsEmailLinks = true
    policies.allowsAnonymous = true
    policies.rateLimits = .development
    policies.phone = .development
    return policies
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    allowsDuplicateEmails = try values.value(.allowsDuplicateEmails, or: allowsDuplicateEmails)
    protectsEmails = try values.value(.protectsEmails, or: protectsEmails)
    allowsPasswords = try values.value(.allowsPasswords, or: allowsPasswords)
    allowsEmailLinks = try values.value(.allowsEmailLinks, or: allowsEmailLinks)
    passwordPolicy = try values.value(.passwordPolicy, or: passwordPolicy)
    allowsAnonymous = try values.value(.allowsAnonymous, or: allowsAnonymous)
    refusesSignUp = try values.value(.refusesSignUp, or: refusesSignUp)
    refusesDeletion = try values.value(.refusesDeletion, or: refusesDeletion)
    recentSignInSeconds = try values.value(.recentSignInSeconds, or: recentSignInSeconds)
    refreshGraceSeconds = try values.value(.refreshGraceSeconds, or: refreshGraceSeconds)
    linksNeedRecentSignIn = try values.value(.linksNeedRecentSignIn, or: linksNeedRecentSignIn)
    allowsUnlinkingLast = try values.value(.allowsUnlinkingLast, or: allowsUnlinkingLast)
    rateLimits = try values.value(.rateLimits, or: rateLimits)
    nonce = try values.value(.nonce, or: nonce)
    linkConsent = try values.value(.linkConsent, or: linkConsent)
    redirectURLs = try values.value(.redirectURLs, or: redirectURLs)
    phone = try values.value(.phone, or: phone)
  }
}

/// Who makes the nonce of a sign-in with a provider's token.
package enum NonceSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The client, if anybody. One of the server's is taken too, and held to its rules.
  case client
  /// The server alone: a sign-in without one of its nonces is refused.
  case server
}

/// When joining needs the person's consent; see `ConsentRule`.
package enum LinkConsent: String, Hashable, Sendable, Codable, CaseIterable {
  case off
  /// Identifying data with an identity behind a private relay address, in either direction.
  case anonymized
  /// Anything with an account that has something already.
  case always
}
