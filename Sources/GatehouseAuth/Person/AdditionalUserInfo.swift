public import Foundation
package import GatehouseClient
package import GatehouseProtocol

/// What the response to a sign-in contains in addition to the user.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class AdditionalUserInfo: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The provider's id, like `apple.com`. Empty for a custom token and for an anonymous sign-in, as in
  /// Google's SDK.
  public let providerID: String
  /// The user's public name at the provider, if the provider has such names.
  public let username: String?
  /// Whether this sign-in created the account.
  public let isNewUser: Bool

  private let said: JSONObject?

  /// What the provider reported about the user: strings, `NSNumber`s, `NSNull`, arrays and
  /// dictionaries of these.
  public var profile: [String: Any]? { said?.dictionary }

  package init(providerID: String, profile: JSONObject?, username: String?, isNewUser: Bool) {
    self.providerID = providerID
    said = profile
    self.username = username
    self.isNewUser = isNewUser
  }

  package convenience init(_ result: SignInResult) {
    let provider = result.provider.flatMap { [.anonymous, .custom].contains($0) ? nil : $0 }
    self.init(
      providerID: provider?.rawValue ?? "", profile: result.profile, username: result.username,
      isNewUser: result.isNewUser)
  }

  /// ``isNewUser`` under its Objective-C name.
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
