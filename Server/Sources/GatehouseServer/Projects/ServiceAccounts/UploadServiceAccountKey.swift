import Foundation
import GatehouseProtocol
import GatehouseTokens

/// `POST /v1/projects/{p}/serviceAccounts/{email}/keys:upload`, as in Google's IAM API.
struct UploadServiceAccountKey: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v1/projects/*/serviceAccounts/*/keys:upload", "serviceAccounts.upload", answer)
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    guard let email = call.path.resource.flatMap({ EmailAddress($0) }) else {
      throw APIError.invalidArgument("The service account's name is not an email address.")
    }
    let request = try call.request(UploadServiceAccountKeyRequest.self)
    guard let data = request.publicKeyData, let pem = Self.text(base64: data) else {
      throw APIError.invalidArgument("publicKeyData is not the base64 of a text.")
    }
    let key = try await services.serviceAccounts.upload(
      try PublicKey(pem: pem), to: email, in: project, now: call.now)
    return Answer(
      ServiceAccountKeyResource(
        name: "projects/\(project)/serviceAccounts/\(email)/keys/\(key.id)",
        validAfterTime: key.createdAt.formatted(.iso8601),
        validBeforeTime: key.expiresAt?.formatted(.iso8601)))
  }

  /// The JSON mapping of Protocol Buffers accepts both alphabets, with or without padding.
  private static func text(base64: String) -> String? {
    AnyBase64.decode(base64).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

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
