public import GatehouseJSON

/// `serviceAccounts/{email}/keys:upload` of Google's IAM API.
public struct UploadServiceAccountKeyRequest: WireRequest {
  /// The base64 of a certificate or public key in PEM.
  public var publicKeyData: String?

  public init(_ fields: WireFields) throws(WireError) {
    publicKeyData = try fields.nonEmptyString("publicKeyData")
  }
}

/// A service account's public key, as Google's IAM API returns it.
public struct ServiceAccountKeyResource: WireResponse {
  /// `projects/{p}/serviceAccounts/{email}/keys/{id}`
  public var name: String
  /// RFC 3339.
  public var validAfterTime: String
  /// RFC 3339; nil if the key doesn't expire.
  public var validBeforeTime: String?

  public init(name: String, validAfterTime: String, validBeforeTime: String?) {
    self.name = name
    self.validAfterTime = validAfterTime
    self.validBeforeTime = validBeforeTime
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("keyOrigin", "USER_PROVIDED")
    writer.member("keyType", "USER_MANAGED")
    writer.member("validAfterTime", validAfterTime)
    writer.member("validBeforeTime", ifPresent: validBeforeTime)
  }
}
