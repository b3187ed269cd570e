public import Foundation
package import GatehouseClient
import GatehouseProtocol

/// A user's second factors.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class MultiFactor: NSObject, NSSecureCoding, @unchecked Sendable {
  /// Nil for one that was archived: it only describes the factors.
  let person: SignedInUser?
  private let archived: [MultiFactorInfo]

  package init(_ person: SignedInUser) {
    self.person = person
    archived = []
  }

  /// The factors that this device knows; see ``User``.
  open var enrolledFactors: [MultiFactorInfo] {
    person?.snapshot.secondFactors.map { MultiFactorInfo.of($0) } ?? archived
  }

  /// A session with which the user adds a factor. Sends no request.
  ///
  /// - Throws: ``AuthErrorCode/nullUser`` for an archived object.
  open func session() async throws -> MultiFactorSession {
    MultiFactorSession(try requirePerson().secondFactorSession)
  }

  open func getSessionWithCompletion(
    _ completion: ((MultiFactorSession?, (any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.session() }
  }

  /// Adds a factor. The user's session continues with new tokens.
  ///
  /// - Parameters:
  ///   - assertion: Of ``PhoneMultiFactorGenerator`` or ``TOTPMultiFactorGenerator``.
  ///   - displayName: What the user calls the factor.
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/unverifiedEmail``,
  ///   ``AuthErrorCode/secondFactorAlreadyEnrolled``,
  ///   ``AuthErrorCode/maximumSecondFactorCountExceeded``,
  ///   ``AuthErrorCode/unsupportedFirstFactor``, ``AuthErrorCode/operationNotAllowed``;
  ///   ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/sessionExpired``;
  ///   ``AuthErrorCode/internalError`` for an assertion of a sign-in.
  open func enroll(
    with assertion: MultiFactorAssertion, displayName: String?
  ) async throws {
    _ = try await enrollment(with: assertion, displayName: displayName)
  }

  open func enroll(
    with assertion: MultiFactorAssertion, displayName: String?,
    completion: (((any Error)?) -> Void)?
  ) {
    let sent = SentAssertion(assertion: assertion)
    completing(completion) {
      try await self.enroll(with: sent.assertion, displayName: displayName)
    }
  }

  /// Removes a factor. The user's session continues with new tokens.
  ///
  /// - Throws: ``AuthErrorCode/multiFactorInfoNotFound``, ``AuthErrorCode/requiresRecentLogin``.
  open func unenroll(with factorInfo: MultiFactorInfo) async throws {
    try await unenroll(withFactorUID: factorInfo.uid)
  }

  open func unenroll(
    with factorInfo: MultiFactorInfo, completion: (((any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.unenroll(with: factorInfo) }
  }

  open func unenroll(withFactorUID factorUID: String) async throws {
    let person = try requirePerson()
    try await asAuthErrors { () async throws(ClientError) in
      try await person.withdrawSecondFactor(factorUID)
    }
  }

  open func unenroll(
    withFactorUID factorUID: String, completion: (((any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.unenroll(withFactorUID: factorUID) }
  }

  func enrollment(
    with assertion: MultiFactorAssertion, displayName: String?
  ) async throws -> SecondFactorEnrollment {
    let session = try requirePerson().secondFactorSession
    let factor = try assertion.newFactor()
    return try await asAuthErrors { () async throws(ClientError) in
      try await session.enroll(factor, displayName: displayName)
    }
  }

  func requirePerson() throws -> SignedInUser {
    guard let person else { throw AuthErrorCode.nullUser.error() }
    return person
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    coder.encode(enrolledFactors as NSArray, forKey: "enrolledFactors")
  }

  public required init?(coder: NSCoder) {
    person = nil
    archived =
      coder.decodeObject(
        of: [
          NSArray.self, MultiFactorInfo.self, PhoneMultiFactorInfo.self, TOTPMultiFactorInfo.self,
        ], forKey: "enrolledFactors") as? [MultiFactorInfo] ?? []
  }
}

/// An assertion on its way to the task that uses it. Apps pass objects that aren't `Sendable`.
struct SentAssertion: @unchecked Sendable {  // Sent, not shared.
  let assertion: MultiFactorAssertion
}
