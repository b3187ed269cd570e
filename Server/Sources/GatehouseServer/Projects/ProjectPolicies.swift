/// All policies of a project for its accounts.
///
/// Stored as a document. A key that is missing in a stored document gets its default, so a new
/// policy needs no migration.
package struct ProjectPolicies: Hashable, Sendable, Codable {
  /// Several accounts may have identities with the same email address. Off, as in Firebase.
  package var allowsDuplicateEmails = false
  /// Enumeration protection: responses to sign-ins with a password, to requests for codes and to
  /// `createAuthUri` don't reveal whether an address has an account. Those to sign-ups, links and
  /// sign-ins with a provider (`needConfirmation`) can reveal it, and are rate-limited.
  package var protectsEmails = true
  package var allowsPasswords = true
  /// Whether users can sign in with a link that is sent to their address. Off, as in Firebase.
  package var allowsEmailLinks = false
  /// The requirements for new passwords.
  package var passwordPolicy = PasswordPolicy()
  package var allowsAnonymous = false
  /// Users can't sign up: only administrators and sign-ins with custom tokens create accounts.
  package var refusesSignUp = false
  /// Users can't delete their accounts.
  package var refusesDeletion = false
  /// Whether a deletion or an unlinking also revokes the user's grant at the provider.
  package var revokesAtProvider = true
  /// Whether users get an email when their password changes, a provider is linked, or they delete
  /// their account. Needs a server that sends mail.
  package var sendsNotices = true
  /// The grace period of a deletion: within this time the user keeps the account by signing in again.
  /// 0: the account is erased at once. Days.
  package var deletionGraceDays = 0
  /// How old a sign-in may be for a change of password, email address or phone number, an unlinking,
  /// an export or a deletion. Seconds.
  package var recentSignInSeconds = 300
  /// The grace period of a refresh token: how long a rotated token still returns the current one after
  /// its successor was first used. Until the successor is used, there is no limit. Seconds.
  package var refreshGraceSeconds = 60
  /// Whether linking needs a recent sign-in. Off, because apps offer linking weeks after the
  /// sign-in. A credential that an old session links is unconfirmed until the user signs in with
  /// another credential.
  package var linksNeedRecentSignIn = false
  /// Whether the last credential of an account may be removed. On, because the protocol allows this.
  package var allowsUnlinkingLast = true
  /// The limits for guesses, mass sign-ups and other attempts.
  package var rateLimits = RateLimits()
  /// Whether the client or the server creates the nonces that bind providers' tokens to requests.
  package var nonce = NonceSource.client
  /// When the user's consent is needed to join data to an account.
  package var linkConsent = LinkConsent.off
  /// Addresses at which native apps may receive the response of a browser sign-in, compared byte
  /// for byte. An app's standard addresses are always allowed: see `ReturnAddresses`.
  package var redirectURLs: [String] = []
  /// The project's own page for action codes: see ``CallbackURI``. Empty: this server's page.
  package var callbackURI = ""
  package var email = EmailPolicy()
  package var branding = BrandingPolicy()
  /// What happens when a provider reports a withdrawal or a deletion.
  package var providerEvents = ProviderEventPolicy()
  /// Sign-in by text message.
  package var phone = PhonePolicy()
  package var secondFactors = SecondFactorPolicy()
  package var passkeys = PasskeyPolicy()
  package var tokens = TokenSettings()
  /// Whether users bring along their sessions at Firebase.
  package var firebaseSessions = FirebaseSessionPolicy()

  package init() {}

  /// The policies of `--dev`, as developers who know the emulator expect them.
  package static var development: ProjectPolicies {
    var policies = ProjectPolicies()
    policies.protectsEmails = false
    policies.allowsEmailLinks = true
    policies.allowsAnonymous = true
    policies.rateLimits = .development
    policies.phone = .development
    policies.secondFactors = .development
    policies.passkeys = .development
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
    revokesAtProvider = try values.value(.revokesAtProvider, or: revokesAtProvider)
    sendsNotices = try values.value(.sendsNotices, or: sendsNotices)
    deletionGraceDays = try values.value(.deletionGraceDays, or: deletionGraceDays)
    recentSignInSeconds = try values.value(.recentSignInSeconds, or: recentSignInSeconds)
    refreshGraceSeconds = try values.value(.refreshGraceSeconds, or: refreshGraceSeconds)
    linksNeedRecentSignIn = try values.value(.linksNeedRecentSignIn, or: linksNeedRecentSignIn)
    allowsUnlinkingLast = try values.value(.allowsUnlinkingLast, or: allowsUnlinkingLast)
    rateLimits = try values.value(.rateLimits, or: rateLimits)
    nonce = try values.value(.nonce, or: nonce)
    linkConsent = try values.value(.linkConsent, or: linkConsent)
    redirectURLs = try values.value(.redirectURLs, or: redirectURLs)
    callbackURI = try values.value(.callbackURI, or: callbackURI)
    email = try values.value(.email, or: email)
    branding = try values.value(.branding, or: branding)
    providerEvents = try values.value(.providerEvents, or: providerEvents)
    phone = try values.value(.phone, or: phone)
    secondFactors = try values.value(.secondFactors, or: secondFactors)
    passkeys = try values.value(.passkeys, or: passkeys)
    tokens = try values.value(.tokens, or: tokens)
    firebaseSessions = try values.value(.firebaseSessions, or: firebaseSessions)
  }
}

/// Whether the client or the server creates the nonce of a sign-in with a provider's token.
package enum NonceSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The client may create a nonce or send none. If it sends a nonce that the server issued, the
  /// rules of such nonces apply.
  case client
  /// Only the server creates nonces: a sign-in without one of its nonces is rejected.
  case server
}

/// When joining needs the user's consent; see `ConsentRule`.
package enum LinkConsent: String, Hashable, Sendable, Codable, CaseIterable {
  case off
  /// When identifying data is joined with an identity behind a private relay address, in either
  /// direction.
  case anonymized
  /// When an identity, email address or phone number is joined to an account that already has one of
  /// these.
  case always
}
