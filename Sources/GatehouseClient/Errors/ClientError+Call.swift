import GatehouseWire

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
    switch ErrorCode(rawValue: refusal.code) {
    case .federatedUserIDAlreadyLinked, .emailExists:
      self = .credentialInUse(updated: context.updated, email: context.email, code: refusal.code)
    case .phoneNumberExists: self = .phoneNumberInUse(updated: nil)
    case .credentialTooOldLoginAgain:
      self = .needsRecentSignIn(providers: context.providers)
    case .missingOrInvalidNonce:
      self = .nonce(detail: refusal.detail ?? refusal.code)
    case .consentRequired:
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
    switch ErrorCode(rawValue: code) {
    case .tokenExpired: self = .revoked
    case .userDisabled: self = .disabled
    case .userNotFound: self = .deleted
    case .invalidIDToken, .invalidRefreshToken: self = .invalid
    default: return nil
    }
  }
}
