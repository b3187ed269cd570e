public import Foundation
package import GatehouseClient
internal import GatehouseProtocol

/// An ID token and its claims.
///
/// The token's signature isn't verified here, because the token came from the server over TLS. A
/// back end verifies it. Setting a property changes only this object.
// `@unchecked`: `values` is the lock of everything that changes.
open class AuthTokenResult: NSObject, NSSecureCoding, @unchecked Sendable {
  private struct Values {
    var token: String
    var expirationDate: Date
    var authDate: Date
    var issuedAtDate: Date
    var signInProvider: String
    var signInSecondFactor: String
    var claims: JSONObject
  }
  private let values: Locked<Values>

  package init(_ token: IDToken) {
    values = Locked(
      Values(
        token: token.token, expirationDate: token.expiresAt, authDate: token.authenticatedAt,
        issuedAtDate: token.issuedAt, signInProvider: token.signInProvider.rawValue,
        signInSecondFactor: token.secondFactor ?? "", claims: token.claims))
  }

  /// The JWT, in compact form.
  open var token: String {
    get { values.withLock { $0.token } }
    set { values.withLock { $0.token = newValue } }
  }
  /// When the token expires (`exp`), by the server's clock.
  open var expirationDate: Date {
    get { values.withLock { $0.expirationDate } }
    set { values.withLock { $0.expirationDate = newValue } }
  }
  /// When the user last authenticated (`auth_time`), by the server's clock. A refresh doesn't
  /// change it.
  open var authDate: Date {
    get { values.withLock { $0.authDate } }
    set { values.withLock { $0.authDate = newValue } }
  }
  /// When the token was issued (`iat`), by the server's clock.
  open var issuedAtDate: Date {
    get { values.withLock { $0.issuedAtDate } }
    set { values.withLock { $0.issuedAtDate = newValue } }
  }
  /// The sign-in method, like `apple.com`, `password`, `custom`.
  open var signInProvider: String {
    get { values.withLock { $0.signInProvider } }
    set { values.withLock { $0.signInProvider = newValue } }
  }
  /// `phone`, `totp`, `recovery_code` or `passkey`. Empty for a sign-in without a second factor.
  open var signInSecondFactor: String {
    get { values.withLock { $0.signInSecondFactor } }
    set { values.withLock { $0.signInSecondFactor = newValue } }
  }
  /// All claims of the token: strings, `NSNumber`s, `NSNull`, arrays and dictionaries of these. The
  /// setter drops values of other types.
  open var claims: [String: Any] {
    get { values.withLock { $0.claims }.dictionary }
    set {
      let claims = JSONObject(dictionary: newValue)
      values.withLock { $0.claims = claims }
    }
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    let values = self.values.withLock { $0 }
    coder.encode(text: values.token, forKey: "token")
    coder.encode(date: values.expirationDate, forKey: "expirationDate")
    coder.encode(date: values.authDate, forKey: "authDate")
    coder.encode(date: values.issuedAtDate, forKey: "issuedAtDate")
    coder.encode(text: values.signInProvider, forKey: "signInProvider")
    coder.encode(text: values.signInSecondFactor, forKey: "signInSecondFactor")
    coder.encode(json: values.claims, forKey: "claims")
  }

  public required init?(coder: NSCoder) {
    guard
      let token = coder.text("token"),
      let expirationDate = coder.date("expirationDate"),
      let authDate = coder.date("authDate"),
      let issuedAtDate = coder.date("issuedAtDate"),
      let claims = coder.json("claims")
    else { return nil }
    values = Locked(
      Values(
        token: token, expirationDate: expirationDate, authDate: authDate,
        issuedAtDate: issuedAtDate, signInProvider: coder.text("signInProvider") ?? "",
        signInSecondFactor: coder.text("signInSecondFactor") ?? "", claims: claims))
  }
}

/// Keeps the token out of logs.
extension AuthTokenResult: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["signInProvider": signInProvider]) }
}
