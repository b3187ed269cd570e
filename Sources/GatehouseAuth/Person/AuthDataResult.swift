public import Foundation
package import GatehouseClient

/// The result of a sign-in, a link or a re-authentication.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class AuthDataResult: NSObject, NSSecureCoding, @unchecked Sendable {
  public let user: User
  /// Nil if an anonymous user was signed in already, because no request was sent.
  public let additionalUserInfo: AdditionalUserInfo?
  /// The provider's tokens, if the server returned them.
  public let credential: OAuthCredential?

  package init(
    user: User, additionalUserInfo: AdditionalUserInfo?, credential: OAuthCredential?
  ) {
    self.user = user
    self.additionalUserInfo = additionalUserInfo
    self.credential = credential
  }

  /// - Parameter user: The object that represents `result.user`.
  package convenience init(_ result: SignInResult, user: User) {
    let isUnchanged = result.provider == .anonymous && !result.isNewUser
    self.init(
      user: user, additionalUserInfo: isUnchanged ? nil : AdditionalUserInfo(result),
      credential: result.credential.map(OAuthCredential.init))
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    coder.encode(user, forKey: "user")
    if let additionalUserInfo { coder.encode(additionalUserInfo, forKey: "additionalUserInfo") }
    if let credential { coder.encode(credential, forKey: "credential") }
  }

  public required init?(coder: NSCoder) {
    guard let user = coder.object(User.self, "user") else { return nil }
    self.user = user
    additionalUserInfo = coder.object(AdditionalUserInfo.self, "additionalUserInfo")
    credential = coder.object(OAuthCredential.self, "credential")
  }
}
