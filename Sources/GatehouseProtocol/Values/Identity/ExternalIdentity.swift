public import struct Foundation.Date

/// What a provider asserts about a user, after the server verified the provider's ID token or
/// inspected its access token.
///
/// The identity is only (``provider``, ``subject``). The provider merely asserts the email address;
/// ``AssertedEmail/isTrusted`` says whether the provider's configuration trusts this assertion.
public struct ExternalIdentity: Sendable {
  public var provider: ProviderID
  public var subject: Subject
  /// The issuer of the verified token, for a provider whose issuer is configured. Nil for providers
  /// with a fixed issuer, even if it has several spellings.
  public var issuer: String?
  public var email: AssertedEmail?
  /// Whether the provider sent an email address that ``EmailAddress`` refuses, so that ``email`` is nil.
  public var hasRefusedEmail = false
  public var profile: Profile
  /// How often the token that asserted the identity may be used.
  public var use = ProofUse.unlimited
  /// Whether the provider rejected the access token that came with the ID token. The identity is
  /// verified without it.
  public var isAccessTokenRefused = false
  /// When the ID token was issued; nil without an ID token.
  public var issuedAt: Date?
  /// When the user last authenticated at the provider; nil if the provider doesn't say.
  public var authenticatedAt: Date?
  /// What the provider reported about the user, as JSON text, for `rawUserInfo`: the verified
  /// claims, or the response of the provider's API.
  public var rawUserInfo: String
  /// Claims beyond the standard ones, for `firebase.sign_in_attributes`.
  public var signInAttributes: SignInAttributes?
  /// Whether the address is a private relay address; nil if the provider doesn't say. Never
  /// guessed.
  public var isPrivateEmail: Bool?
  /// Apple's estimate, which the token of a user's first sign-in contains.
  public var realUserStatus: RealUserStatus?
  /// The estimate that the app sent beside a token without one. It isn't signed: the client may have
  /// written anything.
  public var realUserStatusFromApp: RealUserStatus?
  /// Apple's transfer identifier of a user whose app moved to this team less than 60 days ago:
  /// `transfer_sub`.
  public var transferSubject: Subject?
  public var tokens: ProviderTokens

  public init(
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
  public var isNameSentOnce = false

  /// The user's profile at the provider. An absent value never erases a stored one.
  public struct Profile: Hashable, Sendable {
    public var displayName: String?
    public var firstName: String?
    public var lastName: String?
    public var photoURL: String?
    public var screenName: String?

    public init(
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
  public struct ProviderTokens: Sendable {
    public var idToken: Secret<String>?
    public var accessToken: Secret<String>?
    public var refreshToken: Secret<String>?
    /// The client to which the provider issued the tokens, if this server exchanged a code for
    /// them.
    public var clientID: String?

    public init(
      idToken: Secret<String>? = nil, accessToken: Secret<String>? = nil,
      refreshToken: Secret<String>? = nil
    ) {
      self.idToken = idToken
      self.accessToken = accessToken
      self.refreshToken = refreshToken
    }
  }
}

/// Whether the user seems to be a real person: Apple's `real_user_status`
/// (<https://developer.apple.com/documentation/signinwithapple/asuserdetectionstatus>).
///
/// No value leads to a refusal: the app decides what else to ask the user for.
public enum RealUserStatus: Int, Hashable, Sendable {
  /// The platform can't tell.
  case unsupported = 0
  case unknown = 1
  case likelyReal = 2
}

/// An email address that a provider asserts.
public struct AssertedEmail: Hashable, Sendable {
  public var address: EmailAddress
  /// The provider says that it verified the address.
  public var isVerified: Bool
  /// The provider's configuration trusts its assertion about this address (`trustEmail`).
  public var isTrusted: Bool

  public init(address: EmailAddress, isVerified: Bool, isTrusted: Bool) {
    self.address = address
    self.isVerified = isVerified
    self.isTrusted = isTrusted
  }

  /// Whether the provider verified the address *and* its configuration trusts that. Only such an address
  /// may open an existing account.
  public var isVerifiedAndTrusted: Bool { isVerified && isTrusted }
}

/// A provider's identifier of a user: 1 to 255 bytes, compared byte for byte (OpenID Connect
/// Core §2).
public struct Subject: ByteExact {
  public static let maximumBytes = 255

  public let text: String

  /// Returns nil if `text` is empty, is too long, or contains U+0000.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
      return nil
    }
    self.text = text
  }
}

/// How often a provider's token may be used.
public enum ProofUse: Hashable, Sendable {
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
  public var isRepeatable: Bool {
    switch self {
    case .once: false
    case .unlimited, .repeatable: true
    }
  }
}

/// The record that a token, nonce or code was used. It is unique in its project until it expires.
public struct SingleUseToken: Hashable, Sendable {
  /// 32 bytes. For a signed token, the SHA-256 of the signing input and not of the whole token: anyone
  /// can turn an ECDSA signature into a different valid one.
  public var digest: [UInt8]
  /// After this time the token is refused as expired anyway, and the record may be deleted.
  public var expiresAt: Date

  public init(digest: [UInt8], expiresAt: Date) {
    self.digest = digest
    self.expiresAt = expiresAt
  }

  /// The record of a token that this server accepts until `end`. It is kept a minute longer: another
  /// server's clock may be behind that of the server that removes the record.
  public init(digest: [UInt8], acceptedUntil end: Date) {
    self.init(digest: digest, expiresAt: end.addingTimeInterval(60))
  }
}
