public import Foundation
public import GatehouseClient
public import GatehouseProtocol

/// An account on an ``AuthTestServer``.
public struct TestUser: Sendable, Hashable, Identifiable {
  public let uid: String
  /// Unique on the server. An address in another spelling of the same letters is the same one.
  public var email: String?
  public var isEmailVerified = false
  /// In plain text. Nil if the user has none.
  public var password: String?
  public var displayName: String?
  public var photoURL: URL?
  public var isDisabled = false
  /// In every ID token of the user from the next one on.
  public var customClaims: JSONObject = [:]
  /// The identities at providers, in the order in which they were linked. A password isn't among them.
  public internal(set) var identities: [LinkedProvider] = []
  /// The recovery codes that are left. Nil if the user has none.
  public internal(set) var recoveryCodes: [String]?
  /// Oldest first.
  public internal(set) var passkeys: [Passkey] = []
  public internal(set) var createdAt: Date
  public internal(set) var lastSignInAt: Date?

  var factors: [Factor] = []
  var hasEmailLink = false
  var isCustom = false

  public var id: String { uid }

  /// Phone numbers are hidden, as from the user. ``AuthTestServer/addAuthenticator(to:displayName:)`` and
  /// ``AuthTestServer/addPhone(_:to:displayName:)`` add one.
  public var secondFactors: [SecondFactor] { factors.map(\.shown) }

  /// Whether the user has nothing that names them.
  public var isAnonymous: Bool {
    email == nil && password == nil && identities.isEmpty && passkeys.isEmpty && !isCustom
  }

  /// Whether the user has something with which to sign in again.
  var hasCredential: Bool {
    (password != nil || hasEmailLink) && email != nil || !identities.isEmpty || !passkeys.isEmpty
      || isCustom
  }

  init(uid: String, createdAt: Date) {
    self.uid = uid
    self.createdAt = createdAt
  }

  func identity(_ provider: Provider) -> LinkedProvider? {
    identities.first { $0.provider == provider }
  }

  mutating func setEmail(_ new: String?) {
    guard new != email else { return }
    email = new
    isEmailVerified = false
  }

  /// What `accounts:lookup` says.
  var info: UserInfo {
    var info = UserInfo(localID: uid)
    info.email = email
    info.emailVerified = email == nil ? nil : isEmailVerified
    info.displayName = displayName
    info.photoURL = photoURL?.absoluteString
    info.hasPassword = password != nil
    info.hasEmailLink = hasEmailLink
    info.disabled = isDisabled
    info.createdAt = createdAt.wireMilliseconds
    info.lastLoginAt = lastSignInAt?.wireMilliseconds
    info.customAttributes = customClaims.isEmpty ? nil : JSONValue.object(customClaims).text()
    info.isCustomAuth = isCustom
    info.mfaInfo = factors.map { $0.enrollment() }
    info.passkeys = passkeys.map(\.info)
    info.recoveryCodesLeft = recoveryCodes?.count
    info.providers = identities.map { identity in
      var linked = ProviderUserInfo(providerID: identity.provider.rawValue, rawID: identity.uid)
      linked.federatedID = identity.uid
      linked.email = identity.email
      linked.displayName = identity.displayName
      linked.photoURL = identity.photoURL?.absoluteString
      linked.isRevokedOnDeletion = identity.isRevokedOnDeletion ?? false
      return linked
    }
    if password != nil || hasEmailLink, let email {
      var linked = ProviderUserInfo(providerID: Provider.password.rawValue, rawID: email)
      linked.federatedID = email
      linked.email = email
      linked.displayName = displayName
      linked.photoURL = photoURL?.absoluteString
      info.providers.append(linked)
    }
    return info
  }
}

extension Date {
  var wireMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}

/// Passwords stay out of logs.
extension TestUser: CustomStringConvertible, CustomReflectable {
  public var description: String { "TestUser(\(uid))" }
  public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}
