import GatehouseJSON
import GatehouseWire

/// `serviceAccounts/{email}/keys:upload` of Google's IAM API.
struct UploadServiceAccountKeyRequest: WireRequest {
  /// The base64 of a certificate or key in PEM.
  var publicKeyData: String?

  init(_ fields: WireFields) throws(WireError) {
    publicKeyData = try fields.nonEmptyString("publicKeyData")
  }
}

/// A service account's key, as Google's IAM API returns it.
struct ServiceAccountKeyResource: WireResponse {
  /// `projects/{p}/serviceAccounts/{email}/keys/{id}`
  var name: String
  /// RFC 3339.
  var validAfterTime: String
  /// RFC 3339; nil if the key doesn't expire.
  var validBeforeTime: String?

  init(name: String, validAfterTime: String, validBeforeTime: String?) {
    self.name = name
    self.validAfterTime = validAfterTime
    self.validBeforeTime = validBeforeTime
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("keyOrigin", "USER_PROVIDED")
    writer.member("keyType", "USER_MANAGED")
    writer.member("validAfterTime", validAfterTime)
    writer.member("validBeforeTime", ifPresent: validBeforeTime)
  }
}
