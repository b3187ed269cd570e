/// `accounts:signInWithPhoneNumber`, and `verifyPhoneNumber` of v3.
public struct SignInWithPhoneNumberRequest: WireMessage {
  /// From the response of `sendVerificationCode`.
  public var sessionInfo: String?
  /// The digits of the text message.
  public var code: String?
  /// From an earlier response; replaces ``sessionInfo`` and ``code``.
  public var temporaryProof: String?
  /// The phone number of the temporary proof.
  public var phoneNumber: String?
  /// The ID token of the account to which the number is linked.
  public var idToken: String?
  /// Nil if absent or unspecified, and for a number that the protocol doesn't have.
  public var operation: Operation?
  /// An extension: the consent to linking.
  public var consent: ConsentMessage?
  public var tenantID: String?

  /// `VerifyOp` of the protocol.
  public enum Operation: Hashable, Sendable, CaseIterable {
    case signUpOrIn, reauthenticate, update, link

    fileprivate var wire: (name: String, number: Int64) {
      switch self {
      case .signUpOrIn: ("SIGN_UP_OR_IN", 1)
      case .reauthenticate: ("REAUTH", 2)
      case .update: ("UPDATE", 3)
      case .link: ("LINK", 4)
      }
    }
  }

  public init(operation: Operation) { self.operation = operation }

  /// - Throws: ``WireError`` for an operation name that the protocol doesn't have.
  public init(_ fields: WireFields) throws(WireError) {
    sessionInfo = try fields.nonEmptyString("sessionInfo")
    code = try fields.nonEmptyString("code")
    temporaryProof = try fields.nonEmptyString("temporaryProof")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    idToken = try fields.nonEmptyString("idToken")
    if let enumerator = try fields.enumerator("operation") {
      operation = Operation.allCases.first { enumerator.names($0.wire.name, $0.wire.number) }
      if operation == nil, case .name = enumerator,
        !enumerator.names("VERIFY_OP_UNSPECIFIED", 0)
      {
        throw WireError(field: "operation", wanted: .enumeration)
      }
    }
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionInfo", ifPresent: sessionInfo)
    writer.member("code", ifPresent: code)
    writer.member("temporaryProof", ifPresent: temporaryProof)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("operation", ifPresent: operation?.wire.name)
    writer.member("idToken", ifPresent: idToken)
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct SignInWithPhoneNumberResponse: WireMessage {
  public var phoneNumber: String
  public var outcome: Outcome

  public enum Outcome: Sendable {
    case signedIn(localID: String, isNewUser: Bool, tokens: SessionTokens)
    /// The account needs a second factor.
    case secondFactorNeeded(PendingSecondFactor, localID: String)
    /// Another account has the number.
    case temporaryProof(String, expiresInSeconds: Int)
  }

  public init(phoneNumber: String, outcome: Outcome) {
    self.phoneNumber = phoneNumber
    self.outcome = outcome
  }

  /// The response must contain the tokens, a pending credential, or a temporary proof with its phone
  /// number. Other absent texts are read as empty.
  public init(_ fields: WireFields) throws(WireError) {
    if let proof = try fields.nonEmptyString("temporaryProof") {
      phoneNumber = try fields.requiredString("phoneNumber")
      outcome = .temporaryProof(
        proof, expiresInSeconds: Int(clamping: try fields.int64("temporaryProofExpiresIn") ?? 0))
    } else if let pending = try PendingSecondFactor.read(from: fields) {
      phoneNumber = try fields.string("phoneNumber") ?? ""
      outcome = .secondFactorNeeded(pending, localID: try fields.string("localId") ?? "")
    } else {
      phoneNumber = try fields.string("phoneNumber") ?? ""
      outcome = .signedIn(
        localID: try fields.string("localId") ?? "",
        isNewUser: try fields.bool("isNewUser") ?? false, tokens: try SessionTokens(fields))
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("phoneNumber", phoneNumber)
    switch outcome {
    case .signedIn(let localID, let isNewUser, let tokens):
      writer.member("localId", localID)
      writer.member("isNewUser", isNewUser)
      tokens.writeMembers(to: &writer)
    case .secondFactorNeeded(let pending, let localID):
      writer.member("localId", localID)
      pending.writeMembers(to: &writer)
    case .temporaryProof(let proof, let seconds):
      writer.member("temporaryProof", proof)
      writer.member("temporaryProofExpiresIn", String(seconds))
    }
  }
}
