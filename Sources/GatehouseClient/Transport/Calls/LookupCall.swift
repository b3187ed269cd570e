import Foundation
import GatehouseProtocol

/// `accounts:lookup`: the user's account on the server.
struct LookupCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:lookup" }
  var isRepeatable: Bool { true }

  var request: LookupRequest { LookupRequest(idToken: idToken) }

  func answer(_ response: LookupResponse) throws(WireError) -> AccountInfo {
    guard let user = response.users.first else {
      throw WireError(field: "users", wanted: .list)
    }
    return AccountInfo(user)
  }
}

/// An account as the server shows it to its user.
struct AccountInfo: Sendable {
  var uid: String
  var email: String?
  var isEmailVerified: Bool
  var displayName: String?
  var photoURL: URL?
  var phoneNumber: String?
  var providers: [LinkedProvider]
  var createdAt: Date?
  var lastSignInAt: Date?
  /// Whether the account was created by a custom token of the app's back end.
  var isCustom: Bool
  var tenantID: String?

  init(_ user: UserInfo) {
    uid = user.localID
    email = user.email
    isEmailVerified = user.emailVerified ?? false
    displayName = user.displayName
    photoURL = user.photoURL.flatMap { URL(string: $0) }
    phoneNumber = user.phoneNumber
    providers = user.providers.compactMap { LinkedProvider($0) }
    createdAt = user.createdAt.flatMap { Date(wireMilliseconds: $0) }
    lastSignInAt = user.lastLoginAt.flatMap { Date(wireMilliseconds: $0) }
    isCustom = user.isCustomAuth
    tenantID = user.tenantID
  }
}

extension LinkedProvider {
  /// Nil for an entry without a provider's name, which can't be used.
  init?(_ info: ProviderUserInfo) {
    guard let name = info.providerID else { return nil }
    self.init(
      provider: Provider(name),
      uid: info.rawID ?? info.federatedID ?? info.email ?? info.phoneNumber ?? "")
    displayName = info.displayName
    photoURL = info.photoURL.flatMap { URL(string: $0) }
    email = info.email
    phoneNumber = info.phoneNumber
    isRevokedOnDeletion = info.isRevokedOnDeletion ? true : nil
    consentRevokedAt = info.consentRevokedAt.flatMap { Date(wireMilliseconds: $0) }
  }
}

extension Date {
  /// Milliseconds since 1970, from 0 to the end of the year 9999; nil otherwise.
  init?(wireMilliseconds value: Int64) {
    guard (0...253_402_300_799_999).contains(value) else { return nil }
    self.init(timeIntervalSince1970: Double(value) / 1000)
  }
}
