import Foundation
import GatehouseProtocol

/// A second factor that an administrator sets.
package struct AssignedFactor: Sendable {
  /// Nil for a new id.
  var id: String?
  /// Nil for an authenticator app that the account has: nobody but its user can enroll one.
  var number: PhoneNumber?
  var name: String?
  var enrolledAt: Date?

  /// A factor that the account has already.
  package init(keeping factor: SecondFactor) {
    id = factor.id
    name = factor.name
    enrolledAt = factor.enrolledAt
    if case .phone(let number) = factor.kind { self.number = number }
  }
}

extension AssignedFactor {
  /// A number that is named twice counts once, as in Google's service.
  ///
  /// - Parameter areNew: Whether the account is new, so that the factors get ids.
  /// - Throws: ``APIError``.
  static func checking(
    _ enrollments: [MFAEnrollment], areNew: Bool
  ) throws(APIError) -> [AssignedFactor] {
    var factors: [AssignedFactor] = []
    for enrollment in enrollments {
      let factor = try AssignedFactor(enrollment, isNew: areNew)
      if let number = factor.number, factors.contains(where: { $0.number == number }) { continue }
      if let id = factor.id, factors.contains(where: { $0.id?.hasSameBytes(as: id) == true }) {
        throw .refused(.duplicateMFAEnrollmentID)
      }
      guard factors.count < SecondFactors.maximumCount else {
        throw .refused(.secondFactorLimitExceeded)
      }
      factors.append(factor)
    }
    return factors
  }

  private init(_ enrollment: MFAEnrollment, isNew: Bool) throws(APIError) {
    if isNew || !enrollment.isTOTP {
      guard let number = PhoneNumber(enrollment.phoneInfo ?? "") else {
        throw .refused(.invalidMFAPhoneNumber, "Invalid format.")
      }
      self.number = number
    }
    if !isNew {
      guard let id = enrollment.enrollmentID, SecondFactor.isID(id) else {
        throw .refused(.invalidMFAEnrollmentID, "mfaEnrollmentId must be defined.")
      }
      self.id = id
    }
    do { try ProfileBounds.check(displayName: enrollment.displayName, photoURL: nil) } catch {
      throw .invalidArgument("displayName is too long or has control characters.")
    }
    name = enrollment.displayName
    if let text = enrollment.enrolledAt {
      guard let time = Date(rfc3339: text) else {
        throw .invalidArgument("enrolledAt isn't a time.")
      }
      enrolledAt = time
    }
  }
}

extension Account {
  /// Gives the account these second factors, and no others. Recovery codes go with the last factor.
  ///
  /// - Throws: ``AccountsError/secondFactorNotFound`` for an authenticator app that the account doesn't have.
  mutating func assign(_ assigned: [AssignedFactor], now: Date) throws(AccountsError) {
    guard !assigned.isEmpty else {
      secondFactors = nil
      return
    }
    var factors = secondFactors ?? SecondFactors()
    var new: [SecondFactor] = []
    for assigned in assigned {
      let old = assigned.id.flatMap { factors[$0] }
      guard let kind = assigned.number.map(SecondFactor.Kind.phone) ?? old?.kind else {
        throw .secondFactorNotFound
      }
      let made = SecondFactor(kind, name: assigned.name, now: now)
      new.append(
        SecondFactor(
          id: assigned.id ?? made.id, name: made.name ?? old?.name,
          enrolledAt: assigned.enrolledAt ?? old?.enrolledAt ?? now, kind: kind))
    }
    factors.factors = new
    secondFactors = factors
  }
}

extension Date {
  /// Nil if the text isn't a time of RFC 3339.
  init?(rfc3339 text: String) {
    let times = [true, false].lazy.compactMap { hasFraction in
      try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
    guard let time = times.first else { return nil }
    self = time
  }
}
