/// What a refusal is told with, beside its words.
struct RefusalContext {
  /// How the person can sign in.
  var providers: [Provider] = []
  /// What stands for the credential that was sent.
  var updated: IdentityProviderCredential?
  var email: String?
}

extension ClientError {
  init(_ error: CallError, _ context: RefusalContext = RefusalContext()) {
    switch error {
    case .refused(let refusal, let joins):
      self.init(refusal, joins: joins, context)
    case .network(let fault): self = .network(fault)
    case .badAnswer(let detail): self = .badAnswer(detail: detail)
    case .cancelled: self = .cancelled
    }
  }

  /// What an app can act on has a case of its own; the rest stays as the server said it.
  init(_ refusal: ServerRefusal, joins: [String] = [], _ context: RefusalContext) {
    switch refusal.code {
    case "FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS":
      self = .credentialInUse(updated: context.updated, email: context.email, code: refusal.code)
    case "PHONE_NUMBER_EXISTS": self = .phoneNumberInUse(updated: nil)
    case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN":
      self = .needsRecentSignIn(providers: context.providers)
    case "MISSING_OR_INVALID_NONCE":
      self = .nonce(detail: refusal.detail ?? refusal.code)
    case "CONSENT_REQUIRED":
      self = .consentRequired(joins: joins, updated: context.updated)
    default: self = .server(refusal)
    }
  }
}

extension SessionEnd {
  /// What a refusal says of the session whose token was sent; nil where the session goes on.
  ///
  /// The codes on which Google's SDK signs its user out, and that of a refresh token that the
  /// server never issued.
  init?(refusalCode code: String) {
    switch code {
    case "TOKEN_EXPIRED": self = .revoked
    case "USER_DISABLED": self = .disabled
    case "USER_NOT_FOUND": self = .deleted
    case "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN": self = .invalid
    default: return nil
    }
  }
}
