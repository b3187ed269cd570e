/// Why something didn't work, with what is needed to go on.
public enum ClientError: Error, Sendable, Hashable {
  /// The server refused with a code that nothing below stands for. Unknown codes arrive here whole.
  case server(ServerRefusal)
  /// Another account has this identity or its email. `updated` signs in to that account, without a
  /// second sheet; `code` is `FEDERATED_USER_ID_ALREADY_LINKED` or `EMAIL_EXISTS`.
  case credentialInUse(updated: IdentityProviderCredential?, email: String?, code: String)
  /// Another account has this phone number. `updated` signs in to that account, without another text
  /// message.
  case phoneNumberInUse(updated: PhoneCredential?)
  /// An account with this email exists, and has to be entered by one of `providers` first.
  /// `updated` can then be linked.
  case accountExists(email: String?, providers: [Provider], updated: IdentityProviderCredential?)
  /// The sign-in is too old for what was asked: sign in again by one of `providers`.
  case needsRecentSignIn(providers: [Provider])
  /// The ID token and the nonce don't belong together, or the token was used before.
  case nonce(detail: String)
  /// The person has to agree that these come together. `updated` repeats the request, if the server
  /// has used up the provider's token.
  case consentRequired(joins: [String], updated: IdentityProviderCredential?)
  /// The session is over on the server. The client is signed out.
  case sessionEnded(SessionEnd)
  /// The account that was verified isn't the one that is signed in.
  case userMismatch
  case notSignedIn
  case network(NetworkFault)
  case store(StoreFault)
  /// The answer can't be understood.
  case badAnswer(detail: String)
  /// Nothing was sent: what the app passed can't be right.
  case invalidArgument(detail: String)
  /// The person or the app ended it.
  case cancelled
}

/// A refusal in the server's words.
public struct ServerRefusal: Error, Sendable, Hashable {
  public var status: Int
  /// What stands before the first colon, like `OPERATION_NOT_ALLOWED`.
  public var code: String
  public var detail: String?
  /// `errors[].reason`, like `keyInvalid`.
  public var reason: String?

  public init(status: Int, code: String, detail: String? = nil, reason: String? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.reason = reason
  }
}

/// Why a session is over.
public enum SessionEnd: String, Sendable, Hashable {
  /// Signed out everywhere, a new password, or the session was ended (`TOKEN_EXPIRED`).
  case revoked
  /// `USER_DISABLED`
  case disabled
  /// `USER_NOT_FOUND`
  case deleted
  /// The refresh token or ID token is none of the server's (`INVALID_REFRESH_TOKEN`,
  /// `INVALID_ID_TOKEN`).
  case invalid
}

/// The server wasn't reached, or didn't answer.
public struct NetworkFault: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case offline, timedOut, cannotConnect, secureConnectionFailed, lost, serverUnavailable, other
  }
  public var kind: Kind
  public var detail: String

  public init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// The store of the session failed. It doesn't mean that nobody is signed in.
public struct StoreFault: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// The device hasn't been unlocked since it was started.
    case locked
    /// Another process holds the store for too long.
    case busy
    case unreadable, unwritable
    /// What is there is no session of this or an earlier version.
    case damaged
  }
  public var kind: Kind
  public var detail: String

  public init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
