public import Foundation
import GatehouseClient

/// A second factor of a user.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class MultiFactorInfo: NSObject, NSSecureCoding, @unchecked Sendable {
  public let uid: String
  public let displayName: String?
  public let enrollmentDate: Date
  /// ``PhoneMultiFactorInfo/PhoneMultiFactorID`` or ``PhoneMultiFactorInfo/TOTPMultiFactorID``
  public let factorID: String

  package init(uid: String, displayName: String?, enrollmentDate: Date, factorID: String) {
    self.uid = uid
    self.displayName = displayName
    self.enrollmentDate = enrollmentDate
    self.factorID = factorID
  }

  /// The class for its kind.
  static func of(_ factor: SecondFactor) -> MultiFactorInfo {
    let enrolledAt = factor.enrolledAt ?? Date(timeIntervalSince1970: 0)
    return switch factor.kind {
    case .phone(let number):
      PhoneMultiFactorInfo(
        uid: factor.id, displayName: factor.displayName, enrollmentDate: enrolledAt,
        phoneNumber: number)
    case .totp:
      TOTPMultiFactorInfo(
        uid: factor.id, displayName: factor.displayName, enrollmentDate: enrolledAt)
    }
  }

  // MARK: NSSecureCoding

  public class var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(text: uid, forKey: "uid")
    coder.encode(text: displayName, forKey: "displayName")
    coder.encode(date: enrollmentDate, forKey: "enrollmentDate")
    coder.encode(text: factorID, forKey: "factorID")
  }

  public required init?(coder: NSCoder) {
    guard
      let uid = coder.text("uid"), let date = coder.date("enrollmentDate"),
      let factorID = coder.text("factorID")
    else { return nil }
    self.uid = uid
    displayName = coder.text("displayName")
    enrollmentDate = date
    self.factorID = factorID
  }
}

/// A phone as a second factor.
// `@unchecked`: no lock, because nothing changes after `init`.
open class PhoneMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
  /// `phone`
  public static let PhoneMultiFactorID = "phone"
  /// `totp`
  public static let TOTPMultiFactorID = "totp"

  private let number: String

  /// In E.164 form, with most digits hidden.
  open var phoneNumber: String { number }

  package init(
    uid: String, displayName: String?, enrollmentDate: Date, phoneNumber: String
  ) {
    number = phoneNumber
    super.init(
      uid: uid, displayName: displayName, enrollmentDate: enrollmentDate,
      factorID: Self.PhoneMultiFactorID)
  }

  // MARK: NSSecureCoding

  override public class var supportsSecureCoding: Bool { true }

  override public func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(text: number, forKey: "phoneNumber")
  }

  public required init?(coder: NSCoder) {
    guard let number = coder.text("phoneNumber") else { return nil }
    self.number = number
    super.init(coder: coder)
  }
}

/// An authenticator app as a second factor.
// `@unchecked`: no lock, because nothing changes after `init`.
open class TOTPMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
  package init(uid: String, displayName: String?, enrollmentDate: Date) {
    super.init(
      uid: uid, displayName: displayName, enrollmentDate: enrollmentDate,
      factorID: PhoneMultiFactorInfo.TOTPMultiFactorID)
  }

  // MARK: NSSecureCoding

  override public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
