package import GatehouseProtocol

/// How a user verifies a number.
package enum PhoneProof: Sendable {
  /// The session id that ``AccountsService/sendVerificationCode(to:language:from:in:now:)``
  /// returned, and the code in the message.
  case code(sessionInfo: String, code: Secret<String>)
  /// The proof of an earlier ``PhoneSignIn/numberInUse(_:temporaryProof:expiresInSeconds:)``.
  case temporary(proof: String, of: PhoneNumber)
}

/// What the verified number is used for.
package enum PhoneOperation: Hashable, Sendable {
  /// To sign in to the number's account, or create one. With an ID token: to set the number in the
  /// token's account, even if the account has another number.
  case signInOrUpdate
  /// To link a number to an account that has none.
  case link
  /// To sign in to the number's account; none is created.
  case reauthenticate
}

/// The options of a request with a verified number.
package struct PhoneSignInOptions: Sendable {
  package var operation: PhoneOperation
  /// The ID token of the account to which the number is linked, or that is re-authenticated.
  package var idToken: String?
  /// What the user agreed to; needed for linking if the project's policy requires consent.
  package var consent: GivenConsent?
  package var client = ClientAddress.unknown
  /// The language that the request names, as a BCP 47 tag.
  package var language: String?

  package init(operation: PhoneOperation = .signInOrUpdate, idToken: String? = nil) {
    self.operation = operation
    self.idToken = idToken
  }
}

/// The result of a request with a verified number.
package enum PhoneSignIn: Sendable {
  case signedIn(SignedIn, PhoneNumber)
  /// Another account has the number. The code is used up, and nothing else was changed. With the
  /// proof the user can sign in to that account without another message.
  case numberInUse(PhoneNumber, temporaryProof: String, expiresInSeconds: Int)
}
