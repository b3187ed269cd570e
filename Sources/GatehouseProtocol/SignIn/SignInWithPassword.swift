/// `accounts:signInWithPassword`, and `verifyPassword` of v3.
public struct SignInWithPasswordRequest: WireMessage {
  public var email: String?
  public var password: String?
  public var tenantID: String?

  public init(email: String, password: String) {
    self.email = email
    self.password = password
  }

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.string("email")
    password = try fields.nonEmptyString("password")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("email", ifPresent: email)
    writer.member("password", ifPresent: password)
    writer.member("tenantId", ifPresent: tenantID)
    writer.member("returnSecureToken", true)
  }
}

/// Our SDK reads only its ``FirstFactorOutcome``.
public struct SignInWithPasswordResponse: WireResponse {
  public var localID: String
  public var email: String
  public var displayName: String?
  public var photoURL: String?
  /// Nil if the account needs a second factor.
  public var tokens: SessionTokens?
  public var secondFactor: PendingSecondFactor?
  /// What the user should be told: the rules of the password policy that the password doesn't meet.
  public var notifications: [UserNotification] = []

  public init(localID: String, email: String, tokens: SessionTokens? = nil) {
    self.localID = localID
    self.email = email
    self.tokens = tokens
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyPasswordResponse")
    writer.member("registered", true)
    writer.member("localId", localID)
    writer.member("email", email)
    writer.member("displayName", displayName ?? "")
    writer.member("profilePicture", ifPresent: photoURL)
    tokens?.writeMembers(to: &writer)
    secondFactor?.writeMembers(to: &writer)
    if !notifications.isEmpty {
      writer.array("userNotifications") { list in
        for notification in notifications { list.object { notification.writeMembers(to: &$0) } }
      }
    }
  }
}

/// A message for the user after a sign-in, such as `MISSING_UPPERCASE_CHARACTER`.
///
/// Source: Identity Toolkit, `UserNotification` of `accounts.signInWithPassword`.
public struct UserNotification: WireResponse {
  public var code: String
  /// In English.
  public var message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("notificationCode", code)
    writer.member("notificationMessage", message)
  }
}
