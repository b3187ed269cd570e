import GatehouseProtocol

/// The texts in one language. Implementations use exhaustive switches, so that no text is
/// forgotten.
protocol Words: Sendable {
  func title(_ step: DeletionSentence) -> String
  func description(_ step: DeletionSentence) -> String
  /// What to do after a failed step, if the cause of the error has no `Advice`.
  func suggestion(_ step: DeletionSentence) -> String
  func advice(_ advice: Advice, for aim: AdviceAim) -> String
  func progress(_ progress: DeletionProgress) -> String
  func interface(_ text: InterfaceText) -> String
}

/// The steps of a deletion, as far as messages distinguish them.
enum DeletionSentence: CaseIterable {
  case prepare, reauthenticateApple, reauthenticateGoogle, reauthenticate, revokeApple,
    revokeGoogle, delete
}

enum DeletionProgress: CaseIterable {
  case nothingRevoked
  /// The account still exists, but a provider has revoked the app's access.
  case partlyRevoked
}

/// What the user wanted to do.
enum AdviceAim {
  case deletion
  /// Signing in, linking or disconnecting.
  case other
}

/// What the cause of an error means for the user.
enum Advice: CaseIterable {
  case offline, busy, anotherAccount, notOnThisDevice, signInFirst, proveByOtherWay, wrongPassword,
    tooManyAttempts, disabled, administratorsOnly, appIsNotSetUp, accountExists, accountInUse,
    startAgain, agreeFirst, secondFactorFirst, wrongCode, verifyEmailFirst

  /// - Returns: Nil if the only advice is to try again.
  init?(_ error: AccountError) {
    switch error {
    case .busy, .device(.busy): self = .busy
    case .device(.offline), .client(.network), .device(.notBegun(.network)): self = .offline
    case .device(.unavailable), .notOffered: self = .notOnThisDevice
    case .answer(.anotherUser), .client(.userMismatch): self = .anotherAccount
    case .client(.needsRecentSignIn): self = .proveByOtherWay
    case .client(.notSignedIn): self = .signInFirst
    case .client(.sessionEnded(.disabled)): self = .disabled
    case .client(.sessionEnded): self = .signInFirst
    case .client(.accountExists): self = .accountExists
    case .client(.credentialInUse), .client(.phoneNumberInUse): self = .accountInUse
    case .client(.nonce): self = .startAgain
    case .client(.consentRequired): self = .agreeFirst
    case .client(.secondFactorRequired): self = .secondFactorFirst
    case .client(.server(let refusal)): self.init(code: refusal.code)
    default: return nil
    }
  }

  private init?(code: String) {
    switch ErrorCode(rawValue: code) {
    case .invalidPassword, .invalidLoginCredentials: self = .wrongPassword
    case .invalidPendingToken, .invalidMFAPendingCredential, .sessionExpired: self = .startAgain
    case .invalidCode, .invalidRecoveryCode: self = .wrongCode
    case .unverifiedEmail: self = .verifyEmailFirst
    case .tooManyAttemptsTryLater: self = .tooManyAttempts
    case .userDisabled: self = .disabled
    case .adminOnlyOperation: self = .administratorsOnly
    case .operationNotAllowed, .configurationNotFound: self = .appIsNotSetUp
    default: return nil
    }
  }
}
