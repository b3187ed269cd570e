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
    let key = try await services.serviceAccounts.upload(
      try request.publicKey, to: email, in: project, now: call.now)
    return Answer(ServiceAccountKeyResource(key, of: email, in: project))
  }
}

/// `serviceAccounts/{email}/keys:upload` of Google's IAM API.
struct UploadServiceAccountKeyRequest: WireRequest {
  /// The base64 of a certificate or key in PEM.
  var publicKeyData: String?

  init(_ fields: WireFields) throws(WireError) {
    publicKeyData = try fields.nonEmptyString("publicKeyData")
  }

  /// - Throws: ``APIError`` for a text that isn't base64, and what ``PublicKey/init(pem:)`` throws.
  var publicKey: PublicKey {
    get throws {
      // The JSON mapping of Protocol Buffers accepts both alphabets, with or without padding.
      let pem = publicKeyData.flatMap { AnyBase64.decode($0) }
        .flatMap { String(validating: $0, as: UTF8.self) }
      guard let pem else {
        throw APIError.invalidArgument("publicKeyData is not the base64 of a text.")
      }
      return try PublicKey(pem: pem)
    }
  }
}

/// A service account's key, as Google's IAM API returns it.
struct ServiceAccountKeyResource: WireResponse {
  /// `projects/{p}/serviceAccounts/{email}/keys/{id}`
  private let name: String
  /// RFC 3339.
  private let validAfterTime: String
  /// RFC 3339; nil if the key doesn't expire.
  private let validBeforeTime: String?
  /// Of a key that the server has just created.
  private let credential: Secret<String>?

  /// - Parameter credential: Nil for a key whose private part the server never had.
  init(
    _ key: ServiceAccount.Key, of email: EmailAddress, in project: ProjectID,
    credential: ServiceAccountCredential? = nil
  ) {
    name = "projects/\(project)/serviceAccounts/\(email)/keys/\(key.id)"
    validAfterTime = key.createdAt.formatted(.iso8601)
    validBeforeTime = key.expiresAt?.formatted(.iso8601)
    let json = credential.flatMap { try? $0.json }
    self.credential = json.map { Secret($0.base64EncodedString()) }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("keyOrigin", credential == nil ? "USER_PROVIDED" : "GOOGLE_PROVIDED")
    writer.member("keyType", "USER_MANAGED")
    writer.member("validAfterTime", validAfterTime)
    writer.member("validBeforeTime", ifPresent: validBeforeTime)
    writer.member("privateKeyData", ifPresent: credential?.reveal())
  }
}
