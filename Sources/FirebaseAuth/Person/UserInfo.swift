public import Foundation

/// Who somebody is at a provider: an element of `User.providerData`, and `User` itself.
public protocol UserInfo: NSObjectProtocol {
  /// The provider's id, like `apple.com`; for `User` itself `Firebase`.
  var providerID: String { get }
  /// Who the person is there: the provider's subject, or the address of a password.
  var uid: String { get }
  var displayName: String? { get }
  var photoURL: URL? { get }
  var email: String? { get }
  /// In E.164 form.
  var phoneNumber: String? { get }
}
