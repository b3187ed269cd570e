package import GatehouseModel

/// How a user proves that a number is theirs.
package enum PhoneProof: Sendable {
  /// What ``AccountsService/sendVerificationCode(to:language:from:in:now:)`` answered, and what the
  /// message said.
  case code(sessionInfo: String, code: Secret<String>)
  /// What an earlier answer said, where another account had the number.
  case temporary(proof: String, of: PhoneNumber)
}

/// What the proof of a number is for.
package enum PhoneOperation: Hashable, Sendable {
  /// To enter the number's account, or make one. With an ID token: to give that account the number,
  /// also in place of another one.
  case signInOrUpdate
  /// To give a number to an account that has none.
  case link
  /// To enter the number's account; none is made.
  case reauthenticate
}

/// What a request with a number's proof asks for.
package struct PhoneSignInOptions: Sendable {
  package var operation: PhoneOperation
  /// The ID token of the account that is to have the number, or that is re-authenticated.
  package var idToken: String?
  /// What the person agreed to; asked for by linking.
  package var consent: GivenConsent?
  package var client = ClientAddress.unknown

  package init(operation: PhoneOperation = .signInOrUpdate, idToken: String? = nil) {
    self.operation = operation
    self.idToken = idToken
  }
}

/// What became of it.
package enum PhoneSignIn: Sendable {
  case signedIn(SignedIn, PhoneNumber)
  /// Another account has the number. Nothing was changed but the code, which is used up, and the
  /// proof signs in to that account without another message.
  case numberInUse(PhoneNumber, temporaryProof: String, expiresInSeconds: Int)
}
