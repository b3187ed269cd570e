package import GatehouseProtocol

package import struct Foundation.Date

/// What a provider asserts about a user, after the server verified the provider's ID token or
/// inspected its access token.
///
/// The identity is only (``provider``, ``subject``). The provider merely asserts the email address;
/// ``AssertedEmail/isTrusted`` says whether the provider's configuration trusts this assertion.
package struct ExternalIdentity: Sendable {
  package var provider: ProviderID
  package var subject: Subject
  /// The issuer of the verified token, for a provider whose issuer is configured. Nil for providers
  /// with a fixed issuer, even if it has several spellings.
  package var issuer: String?
  package var email: AssertedEmail?
  /// Whether the provider sent an email address that `EmailAddress` refuses, so that ``email`` is nil.
  package var hasRefusedEmail = false
  package var profile: Profile
  /// How often the token that asserted the identity may be used.
  package var use = ProofUse.unlimited
  /// Whether the provider rejected the access token that came with the ID token. The identity is
  /// verified without it.
  package var isAccessTokenRefused = false
  /// When the ID token was issued; nil without an ID token.
  package var issuedAt: Date?
  /// When the user last authenticated at the provider; nil if the provider doesn't say.
  package var authenticatedAt: Date?
  /// What the provider reported about the user, as JSON text, for `rawUserInfo`: the verified
  /// claims, or the response of the provider's API.
  package var rawUserInfo: String
  /// Claims beyond the standard ones, for `firebase.sign_in_attributes`.
  package var signInAttributes: SignInAttributes?
  /// Whether the address is a private relay address; nil if the provider doesn't say. Never
  /// guessed.
  package var isPrivateEmail: Bool?
  /// Apple's estimate, which the token of a user's first sign-in contains.
  package var realUserStatus: RealUserStatus?
  /// The estimate that the app sent beside a token without one. It isn't signed: the client may have
  /// written anything.
  package var realUserStatusFromApp: RealUserStatus?
  /// Apple's transfer identifier of a user whose app moved to this team less than 60 days ago:
  /// `transfer_sub`.
  package var transferSubject: Subject?
  package var tokens: ProviderTokens

  package init(
    provider: ProviderID, subject: Subject, email: AssertedEmail? = nil,
    profile: Profile = Profile(), rawUserInfo: String = "{}"
  ) {
    self.provider = provider
    self.subject = subject
    self.email = email
    self.profile = profile
    self.rawUserInfo = rawUserInfo
    tokens = ProviderTokens()
  }

  /// Whether the provider sends the user's name only at the first sign-in, outside its tokens
  /// (Apple). The name may have come before, in a response that was never redeemed.
  package var isNameSentOnce = false

  /// The user's profile at the provider. An absent value never erases a stored one.
  package struct Profile: Hashable, Sendable {
    package var displayName: String?
    package var firstName: String?
    package var lastName: String?
    package var photoURL: String?
    package var screenName: String?

    package init(
      displayName: String? = nil, firstName: String? = nil, lastName: String? = nil,
      photoURL: String? = nil, screenName: String? = nil
    ) {
      self.displayName = displayName
      self.firstName = firstName
      self.lastName = lastName
      self.photoURL = photoURL
      self.screenName = screenName
    }
  }

  /// The provider's tokens, to be returned to the client or stored encrypted.
  package struct ProviderTokens: Sendable {
    package var idToken: Secret<String>?
    package var accessToken: Secret<String>?
    package var refreshToken: Secret<String>?
    /// The client to which the provider issued the tokens, if this server exchanged a code for
    /// them.
    package var clientID: String?

    package init(
      idToken: Secret<String>? = nil, accessToken: Secret<String>? = nil,
      refreshToken: Secret<String>? = nil
    ) {
      self.idToken = idToken
      self.accessToken = accessToken
      self.refreshToken = refreshToken
    }
  }
}

/// An email address that a provider asserts.
package struct AssertedEmail: Hashable, Sendable {
  package var address: EmailAddress
  /// The provider says that it verified the address.
  package var isVerified: Bool
  /// The provider's configuration trusts its assertion about this address (`trustEmail`).
  package var isTrusted: Bool

  package init(address: EmailAddress, isVerified: Bool, isTrusted: Bool) {
    self.address = address
    self.isVerified = isVerified
    self.isTrusted = isTrusted
  }

  /// Whether the provider verified the address *and* its configuration trusts that. Only such an address
  /// may open an existing account.
  package var isVerifiedAndTrusted: Bool { isVerified && isTrusted }
}

/// A provider's identifier of a user: 1 to 255 bytes, compared byte for byte (OpenID Connect
/// Core §2).
package struct Subject: ByteExact {
  package static let maximumBytes = 255

  package let text: String

  /// Returns nil if `text` is empty, is too long, or contains U+0000.
  package init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
      return nil
    }
    self.text = text
  }
}

/// How often a provider's token may be used.
package enum ProofUse: Hashable, Sendable {
  /// The server doesn't record the use. The token has no nonce (an access token never has one), or
  /// the provider returned it for an app's authorization code, or it comes from a browser sign-in
  /// with a provider whose tokens may be presented again afterwards (Google).
  case unlimited
  /// The token has a nonce, but the request had none. The token may be used again, unless a request
  /// with its nonce used it before: otherwise an attacker could replay the token of that request by
  /// leaving the nonce out.
  case repeatable(SingleUseToken)
  /// The token belongs to one request. It is a replay if the token, or its nonce with the same
  /// subject, was used before.
  case once(token: SingleUseToken, nonce: SingleUseToken)

  /// Whether the same token can be presented again and again.
  package var isRepeatable: Bool {
    switch self {
    case .once: false
    case .unlimited, .repeatable: true
    }
  }
}

/// The record that a token, nonce or code was used. It is unique in its project until it expires.
package struct SingleUseToken: Hashable, Sendable {
  /// 32 bytes. For a signed token, the SHA-256 of the signing input and not of the whole token: anyone
  /// can turn an ECDSA signature into a different valid one.
  package var digest: [UInt8]
  /// After this time the token is refused as expired anyway, and the record may be deleted.
  package var expiresAt: Date

  package init(digest: [UInt8], expiresAt: Date) {
    self.digest = digest
    self.expiresAt = expiresAt
  }

  /// The record of a token that this server accepts until `end`. It is kept a minute longer: another
  /// server's clock may be behind that of the server that removes the record.
  package init(digest: [UInt8], acceptedUntil end: Date) {
    self.init(digest: digest, expiresAt: end.addingTimeInterval(60))
  }
}
