public import Foundation
package import GatehouseClient
package import GatehouseJSON

/// What a sign-in told of the person, beside who they are.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class AdditionalUserInfo: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The provider's id, like `apple.com`; empty for a custom token or nobody in particular.
  public let providerID: String
  /// The person's public name at providers that have one.
  public let username: String?
  /// Whether the account was made by this sign-in.
  public let isNewUser: Bool

  private let said: JSONObject?

  /// What the provider said of the person: texts, `NSNumber`s, `NSNull`, arrays and dictionaries of
  /// these.
  public var profile: [String: Any]? { said?.dictionary }

  package init(providerID: String, profile: JSONObject?, username: String?, isNewUser: Bool) {
    self.providerID = providerID
    said = profile
    self.username = username
    self.isNewUser = isNewUser
  }

  package convenience init(_ result: SignInResult) {
    self.init(
      providerID: result.provider?.rawValue ?? "", profile: result.profile,
      username: result.username, isNewUser: result.isNewUser)
  }

  /// ``isNewUser``, as Objective-C calls it.
  open func newUser() -> Bool { isNewUser }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    coder.encode(text: providerID, forKey: "providerID")
    coder.encode(json: said, forKey: "profile")
    coder.encode(text: username, forKey: "username")
    coder.encode(isNewUser, forKey: "isNewUser")
  }

  public required init?(coder: NSCoder) {
    guard let providerID = coder.text("providerID") else { return nil }
    self.providerID = providerID
    said = coder.json("profile")
    username = coder.text("username")
    isNewUser = coder.decodeBool(forKey: "isNewUser")
  }
}
