/// Why a call failed, with the values that are needed to continue.
public enum ClientError: Error, Sendable, Hashable {
  /// The server rejected the request with a code that has no case below. Unknown codes are kept
  /// unchanged.
  case server(ServerRefusal)
  /// Another account has this identity or its email. `updated` signs in to that account, without a
  /// second sheet; `code` is `FEDERATED_USER_ID_ALREADY_LINKED` or `EMAIL_EXISTS`.
  case credentialInUse(updated: IdentityProviderCredential?, email: String?, code: String)
  /// Another account has this phone number. `updated` signs in to that account, without another text
  /// message.
  case phoneNumberInUse(updated: PhoneCredential?)
  /// An account with this email exists. The user has to sign in to it with one of `providers`
  /// first. `updated` can then be linked.
  case accountExists(email: String?, providers: [Provider], updated: IdentityProviderCredential?)
  /// The first factor was right, and the account needs a second one. Ask the user for it, and call
  /// ``SecondFactorResolver/resolve(with:)``.
  case secondFactorRequired(SecondFactorResolver)
  /// The sign-in is too old for this request: re-authenticate with one of `providers`.
  case needsRecentSignIn(providers: [Provider])
  /// The ID token and the nonce don't belong together, or the token was used before.
  case nonce(detail: String)
  /// The user has to consent before the items of `joins` are joined in one account. Repeat the request
  /// with the consent and, if it isn't nil, `updated` in place of the credential.
  case consentRequired(joins: [String], updated: IdentityProviderCredential?)
  /// The session has ended on the server. If it was the client's session, the client is signed out.
  case sessionEnded(SessionEnd)
  /// The credential belongs to an account other than the user's, or to none.
  case userMismatch
  /// No user is signed in, or another user signed in meanwhile.
  case notSignedIn
  case network(NetworkFault)
  case store(StoreFault)
  /// The server's response is malformed.
  case badAnswer(detail: String)
  /// Nothing was sent: an argument of the app is invalid.
  case invalidArgument(detail: String)
  /// The user or the app cancelled the call.
  case cancelled
}

/// A refusal with the server's code and detail.
public struct ServerRefusal: Error, Sendable, Hashable {
  public var status: Int
  /// The text before the first colon, such as `OPERATION_NOT_ALLOWED`.
  public var code: String
  public var detail: String?
  /// `errors[].reason`, such as `keyInvalid`.
  public var reason: String?

  public init(status: Int, code: String, detail: String? = nil, reason: String? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.reason = reason
  }
}

/// Why a session ended.
public enum SessionEnd: String, Sendable, Hashable {
  /// The user's tokens were revoked, the password or the email address was changed, or the session
  /// was ended (`TOKEN_EXPIRED`).
  case revoked
  /// `USER_DISABLED`
  case disabled
  /// `USER_NOT_FOUND`
  case deleted
  /// The server doesn't know the refresh token or ID token (`INVALID_REFRESH_TOKEN`,
  /// `INVALID_ID_TOKEN`).
  case invalid
}

/// The server wasn't reached, didn't respond, or responded with a status from 500 on.
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

/// The store of the session failed. This doesn't mean that no user is signed in.
public struct StoreFault: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// The device is locked: it hasn't been unlocked since its start, or it doesn't show whether there is a
    /// value.
    case locked
    /// Another process has locked the store for too long.
    case busy
    case unreadable, unwritable
    /// The stored data can't be read by this version of the SDK.
    case damaged
  }
  public var kind: Kind
  public var detail: String

  public init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
