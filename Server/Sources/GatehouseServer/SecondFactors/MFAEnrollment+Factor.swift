import Foundation
import GatehouseProtocol

extension PendingSecondFactor {
  init(_ demand: SecondFactorDemand) {
    self.init(
      credential: demand.pendingCredential,
      factors: demand.factors.factors.map { MFAEnrollment($0, isObfuscated: true) })
    let codes = demand.factors.recoveryCodes.count
    recoveryCodesLeft = codes > 0 ? codes : nil
    isPasskeyAvailable = demand.hasPasskeys
    isEnrollmentRequired = demand.isEnrollment
  }
}

extension FirstFactorOutcome {
  init(_ result: SignInResult) {
    switch result {
    case .signedIn(let signedIn): self = .signedIn(signedIn.tokens)
    case .secondFactorNeeded(let demand): self = .secondFactorNeeded(PendingSecondFactor(demand))
    }
  }
}

extension SignInResult {
  package var account: Account {
    switch self {
    case .signedIn(let signedIn): signedIn.account
    case .secondFactorNeeded(let demand): demand.account
    }
  }

  package var isNewUser: Bool {
    switch self {
    case .signedIn(let signedIn): signedIn.isNewUser
    case .secondFactorNeeded(let demand): demand.isNewUser
    }
  }

  /// Nil if a second factor is needed.
  var issuedTokens: SessionTokens? {
    if case .signedIn(let signedIn) = self { signedIn.tokens } else { nil }
  }

  var pendingFactor: PendingSecondFactor? {
    if case .secondFactorNeeded(let demand) = self { PendingSecondFactor(demand) } else { nil }
  }
}

extension MFAEnrollment {
  /// - Parameter isObfuscated: For a user who has shown only the first factor.
  init(_ factor: SecondFactor, isObfuscated: Bool) {
    self.init(enrollmentID: factor.id)
    displayName = factor.name
    enrolledAt = factor.enrolledAt.withMilliseconds
    switch factor.kind {
    case .totp: isTOTP = true
    case .phone(let number):
      phoneInfo = isObfuscated ? number.obfuscated : number.text
      if !isObfuscated { unobfuscatedPhoneInfo = number.text }
    }
  }
}

extension PhoneNumber {
  /// As in Google's service: an asterisk for each digit but the last four.
  var obfuscated: String {
    "+" + String(repeating: "*", count: max(text.utf8.count - 5, 0)) + text.suffix(4)
  }
}
