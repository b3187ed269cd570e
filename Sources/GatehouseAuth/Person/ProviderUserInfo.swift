package import GatehouseClient

/// An element of `User.providerData`.
package final class ProviderUserInfo: NSObject, UserInfo, NSSecureCoding, Sendable {
  package let linked: LinkedProvider

  package init(_ linked: LinkedProvider) { self.linked = linked }

  package var providerID: String { linked.provider.rawValue }
  package var uid: String { linked.uid }
  package var displayName: String? { linked.displayName }
  package var photoURL: URL? { linked.photoURL }
  package var email: String? { linked.email }
  package var phoneNumber: String? { linked.phoneNumber }

  package override func isEqual(_ object: Any?) -> Bool {
    (object as? ProviderUserInfo)?.linked == linked
  }

  package override var hash: Int { linked.hashValue }

  // MARK: NSSecureCoding

  package static let supportsSecureCoding = true

  package func encode(with coder: NSCoder) {
    coder.encode(text: providerID, forKey: "providerID")
    coder.encode(text: uid, forKey: "userID")
    coder.encode(text: displayName, forKey: "displayName")
    coder.encode(text: photoURL?.absoluteString, forKey: "photoURL")
    coder.encode(text: email, forKey: "email")
    coder.encode(text: phoneNumber, forKey: "phoneNumber")
  }

  package convenience init?(coder: NSCoder) {
    guard let provider = coder.text("providerID"), let uid = coder.text("userID") else {
      return nil
    }
    var linked = LinkedProvider(provider: Provider(provider), uid: uid)
    linked.displayName = coder.text("displayName")
    linked.photoURL = coder.text("photoURL").flatMap(URL.init(string:))
    linked.email = coder.text("email")
    linked.phoneNumber = coder.text("phoneNumber")
    self.init(linked)
  }
}
