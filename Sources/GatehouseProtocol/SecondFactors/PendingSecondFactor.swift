/// What the response to a first factor contains instead of tokens, if the account needs a second one.
public struct PendingSecondFactor: WireMessage, Hashable {
  /// Shows that the first factor was right, to `mfaSignIn:start` and `mfaSignIn:finalize`.
  public var credential: String
  /// The factors of the account. Empty if it has none yet, and ``isEnrollmentRequired``.
  public var factors: [MFAEnrollment]
  /// An extension: how many recovery codes are left. Nil if the account has none.
  public var recoveryCodesLeft: Int?
  /// An extension: the account has a passkey, which can stand for the second factor.
  public var isPasskeyAvailable = false
  /// An extension: the project requires a second factor, and the account has none. The user enrolls
  /// one with ``credential``.
  public var isEnrollmentRequired = false

  public init(credential: String, factors: [MFAEnrollment]) {
    self.credential = credential
    self.factors = factors
  }

  public init(_ fields: WireFields) throws(WireError) {
    credential = try fields.requiredString("mfaPendingCredential")
    factors = try MFAEnrollment.read("mfaInfo", from: fields)
    recoveryCodesLeft = try fields.int64("recoveryCodesLeft").map { Int(clamping: $0) }
    isPasskeyAvailable = try fields.bool("passkeyAvailable") ?? false
    isEnrollmentRequired = try fields.bool("mfaEnrollmentRequired") ?? false
  }

  /// Writes `mfaInfo` even if it is empty.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("mfaPendingCredential", credential)
    MFAEnrollment.write(factors, as: "mfaInfo", to: &writer)
    writer.member("recoveryCodesLeft", ifPresent: recoveryCodesLeft.map(Int64.init))
    if isPasskeyAvailable { writer.member("passkeyAvailable", true) }
    if isEnrollmentRequired { writer.member("mfaEnrollmentRequired", true) }
  }

  /// Nil for a response without a pending credential.
  static func read(from answer: WireFields) throws(WireError) -> PendingSecondFactor? {
    guard try answer.nonEmptyString("mfaPendingCredential") != nil else { return nil }
    return try PendingSecondFactor(answer)
  }
}

/// What a first factor leads to: what clients read from the response of every sign-in.
public enum FirstFactorOutcome: WireMessage {
  case signedIn(SessionTokens)
  case secondFactorNeeded(PendingSecondFactor)

  /// The response must contain a pending credential, or tokens.
  public init(_ fields: WireFields) throws(WireError) {
    self =
      if let pending = try PendingSecondFactor.read(from: fields) {
        .secondFactorNeeded(pending)
      } else {
        .signedIn(try SessionTokens(fields))
      }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .signedIn(let tokens): tokens.writeMembers(to: &writer)
    case .secondFactorNeeded(let pending): pending.writeMembers(to: &writer)
    }
  }
}
