public import Foundation

/// A user at one provider: an element of `User.providerData`, and `User` itself.
public protocol UserInfo: NSObjectProtocol {
  /// The provider's id, like `apple.com`. `Firebase` for `User` itself.
  var providerID: String { get }
  /// The user's id at the provider: the subject. For a password it is the email address, for a
  /// phone number the number, for `User` itself the account's id.
  var uid: String { get }
  var displayName: String? { get }
  var photoURL: URL? { get }
  var email: String? { get }
  /// In E.164 form.
  var phoneNumber: String? { get }
}
