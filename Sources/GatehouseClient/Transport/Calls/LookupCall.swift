import Foundation
import GatehouseJSON
import GatehouseWire

/// `accounts:lookup`: the user's account on the server.
struct LookupCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:lookup" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) { writer.member("idToken", idToken) }

  func answer(_ fields: WireFields) throws(WireError) -> AccountInfo {
    guard let user = try fields.messages("users").first else {
      throw WireError(field: "users", wanted: .list)
    }
    return try AccountInfo(user)
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
  /// Created by a custom token of the app's back end.
  var isCustom: Bool
  var tenantID: String?

  init(_ fields: WireFields) throws(WireError) {
    uid = try fields.required("localId")
    email = try fields.nonEmptyString("email")
    isEmailVerified = try fields.bool("emailVerified") ?? false
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl").flatMap { URL(string: $0) }
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    providers = []
    for provider in try fields.messages("providerUserInfo") {
      if let linked = try LinkedProvider(provider) { providers.append(linked) }
    }
    createdAt = try fields.milliseconds("createdAt")
    lastSignInAt = try fields.milliseconds("lastLoginAt")
    isCustom = try fields.bool("customAuth") ?? false
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

extension LinkedProvider {
  /// Nil for an entry without a provider's name, which can't be used.
  init?(_ fields: WireFields) throws(WireError) {
    guard let name = try fields.nonEmptyString("providerId") else { return nil }
    let subject = try fields.nonEmptyString("rawId")
    let federated = try fields.nonEmptyString("federatedId")
    let address = try fields.nonEmptyString("email")
    let number = try fields.nonEmptyString("phoneNumber")
    self.init(provider: Provider(name), uid: subject ?? federated ?? address ?? number ?? "")
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl").flatMap { URL(string: $0) }
    email = address
    phoneNumber = number
  }
}

extension WireFields {
  /// Milliseconds since 1970, from 0 to the end of the year 9999; nil otherwise.
  fileprivate func milliseconds(_ name: StaticString) throws(WireError) -> Date? {
    guard let value = try int64(name), (0...253_402_300_799_999).contains(value) else {
      return nil
    }
    return Date(timeIntervalSince1970: Double(value) / 1000)
  }
}
