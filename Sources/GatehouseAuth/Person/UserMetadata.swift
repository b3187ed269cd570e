public import Foundation
package import GatehouseClient

/// When the account was created, and when the user last signed in.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class UserMetadata: NSObject, NSSecureCoding, @unchecked Sendable {
  /// When the user last signed in, on any device, by the server's clock.
  ///
  /// To decide whether this session's sign-in is recent enough to delete the account, use
  /// ``AuthTokenResult/authDate`` instead.
  public let lastSignInDate: Date?
  public let creationDate: Date?

  package init(createdAt: Date?, lastSignInAt: Date?) {
    creationDate = createdAt
    lastSignInDate = lastSignInAt
  }

  package convenience init(_ user: UserSnapshot) {
    self.init(createdAt: user.createdAt, lastSignInAt: user.lastSignInAt)
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    coder.encode(date: creationDate, forKey: "creationDate")
    coder.encode(date: lastSignInDate, forKey: "lastSignInDate")
  }

  public required convenience init?(coder: NSCoder) {
    self.init(
      createdAt: coder.date("creationDate"), lastSignInAt: coder.date("lastSignInDate"))
  }
}
