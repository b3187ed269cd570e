public import struct Foundation.Date

/// What an outside provider says of a person, after its token was verified.
///
/// The identity is (``provider``, ``subject``) and nothing else: an email address is something the
/// provider asserts, and ``AssertedEmail/isTrusted`` says whether this server's operator lets it
/// count.
public struct ExternalIdentity: Sendable {
  public var provider: ProviderID
  public var subject: Subject
  /// The issuer of the token that was verified, for a provider whose issuer is configured. Nil for
  /// those that have one issuer of their own, however they spell it.
  public var issuer: String?
  public var email: AssertedEmail?
  public var profile: Profile
  /// How often what proved it may be used.
  public var use = ProofUse.unlimited
  /// The provider was asked about the access token that came along, and doesn't know it. The identity
  /// is good without.
  public var isAccessTokenRefused = false
  /// When the person proved themselves to the provider; nil where it doesn't say.
  public var authenticatedAt: Date?
  /// The verified claims as JSON text, for `rawUserInfo`.
  public var rawUserInfo: String
  /// Claims beyond the standard ones, for `firebase.sign_in_attributes`.
  public var signInAttributes: SignInAttributes?
  /// Whether the address is a private relay, where the provider says so. Never guessed.
  public var isPrivateEmail: Bool?
  /// Where Apple said so, which it does at a person's first sign-in alone.
  public var realUserStatus: RealUserStatus?
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

  /// The provider tells the user's name at the first sign-in alone, and not in its tokens (Apple): it may
  /// have come before, in an answer that was never redeemed. See ``ArrivedName``.
  public var isNameSentOnce = false

  /// What the provider says of the person beyond who they are. An absent value says nothing: it
  /// never erases what is stored.
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

  /// The provider's own tokens, to be handed back to the client or kept encrypted.
  public struct ProviderTokens: Sendable {
    public var idToken: Secret<String>?
    public var accessToken: Secret<String>?
    public var refreshToken: Secret<String>?
    /// The client to which the provider issued the tokens, if this server got them.
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

/// Whether a person seems to be one, as Apple's `real_user_status` has it
/// (<https://developer.apple.com/documentation/signinwithapple/asuserdetectionstatus>).
///
/// Nothing is refused for any value: it is for the app to decide what else to ask.
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
  /// The operator lets this provider's word about this address count (`trustEmail`).
  public var isTrusted: Bool

  public init(address: EmailAddress, isVerified: Bool, isTrusted: Bool) {
    self.address = address
    self.isVerified = isVerified
    self.isTrusted = isTrusted
  }

  /// Verified by the provider *and* trusted by the operator: the only address that may decide.
  public var isVerifiedAndTrusted: Bool { isVerified && isTrusted }
}

/// A provider's identifier of a person: 1 to 255 bytes, compared byte for byte (OpenID Connect
/// Core §2).
public struct Subject: ByteExact {
  public static let maximumBytes = 255

  public let text: String

  /// Returns nil if `text` is empty, too long or holds a NUL.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
      return nil
    }
    self.text = text
  }
}

/// How often a provider's token may be used.
public enum ProofUse: Hashable, Sendable {
  /// It carries no nonce, and was accepted without.
  case unlimited
  /// Its nonce is not the request's. It may be used again, but not after a request whose nonce it
  /// carried: who took it from there would only have to leave the nonce out.
  case repeatable(SingleUseToken)
  /// It answers one request: if it was used before, or its nonce with the same subject, it is a
  /// replay.
  case once(token: SingleUseToken, nonce: SingleUseToken)

  /// Whether the same token can be presented again and again.
  public var isRepeatable: Bool {
    switch self {
    case .once: false
    case .unlimited, .repeatable: true
    }
  }
}

/// The record by which a token is known to have been used: unique per project until it expires.
public struct SingleUseToken: Hashable, Sendable {
  /// SHA-256, 32 bytes. Of a token it is its signing input's and not the whole token's: an ECDSA
  /// signature can be varied by anybody.
  public var digest: [UInt8]
  /// After this instant the token is refused as expired anyway, and the record may go.
  public var expiresAt: Date

  public init(digest: [UInt8], expiresAt: Date) {
    self.digest = digest
    self.expiresAt = expiresAt
  }
}
