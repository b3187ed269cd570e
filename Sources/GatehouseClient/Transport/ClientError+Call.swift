import GatehouseProtocol

/// The values that an error has in addition to the server's refusal.
struct RefusalContext {
  /// The providers with which the user can sign in.
  var providers: [Provider] = []
  /// The credential with which the app can repeat the request, in place of the one that was sent.
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

  /// A refusal that an app can act on has its own case; others keep the server's code.
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
  /// Why the session whose token was sent has ended, according to a refusal; nil if the session
  /// continues.
  ///
  /// These are the codes after which Google's SDK signs its user out, and the code for a refresh
  /// token that the server never issued.
  init?(refusalCode code: String) {
    switch ErrorCode(rawValue: code) {
    case .tokenExpired: self = .revoked
    case .userDisabled: self = .disabled
    case .userNotFound: self = .deleted
    case .invalidIDToken, .invalidRefreshToken: self = .invalid
    default: return nil
    }
  }

  /// The end that the refusal of an ID token seems to show, if the refusal concerns only the token: with a
  /// new token the session may continue. Nil for any other error, such as one about the account.
  init?(ofRefusedToken error: CallError) {
    guard case .refused(let refusal, _) = error else { return nil }
    switch ErrorCode(rawValue: refusal.code) {
    case .tokenExpired: self = .revoked
    case .invalidIDToken: self = .invalid
    default: return nil
    }
  }
}
