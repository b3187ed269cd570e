import Crypto
import Foundation

/// The simulator as a device and a test use it.
struct SimulatedProviders: Sendable {
  let baseURL: String

  static let bundleID = "com.example.app"
  static let googleClientID = "demo.apps.example.com"
  static let oidcClientID = "gatehouse-demo"

  /// Creates a person with an account at every provider.
  ///
  /// - Returns: The id.
  func person(
    email: String? = nil, emailVerified: Bool = true, givenName: String? = nil
  ) async throws -> String {
    let id = Unique.name("person")
    var body: [String: JSON] = ["id": .string(id), "emailVerified": .bool(emailVerified)]
    if let email { body["email"] = .string(email) }
    if let givenName { body["givenName"] = .string(givenName) }
    let reply = try await HTTP.post("\(baseURL)/simulator/persons", .object(body))
    guard reply.status == 201 else { throw Unexpected(reply) }
    return id
  }

  /// Configures the simulator: `PUT /simulator/<path>`.
  func put(_ path: String, _ body: JSON) async throws {
    let reply = try await HTTP.send(
      .put, "\(baseURL)/simulator/\(path)", headers: [("content-type", "application/json")],
      body: body.text)
    guard (200...201).contains(reply.status) else { throw Unexpected(reply) }
  }

  /// The result of Apple's sheet for an app, and the raw nonce.
  struct AppleSheet: Sendable {
    let credential: Credential
    let authorizationCode: String
    /// Apple's `sub`.
    let user: String
  }

  /// - Parameter nonce: The raw nonce; nil for a sign-in without one.
  func apple(
    _ person: String, nonce: String? = Unique.nonce(), hidesEmail: Bool = false
  ) async throws -> AppleSheet {
    let reply = try await HTTP.post(
      "\(baseURL)/apple/native-sign-in",
      .members([
        "client_id": Self.bundleID, "person": person, "nonce": nonce.map(Nonce.hash),
        "email": hidesEmail ? "hide" : "share",
      ]))
    guard let token = reply.json["identityToken"].string,
      let code = reply.json["authorizationCode"].string, let user = reply.json["user"].string
    else { throw Unexpected(reply) }
    return AppleSheet(
      credential: Credential(provider: "apple.com", idToken: token, nonce: nonce),
      authorizationCode: code, user: user)
  }

  func google(_ person: String, nonce: String? = Unique.nonce()) async throws -> Credential {
    try await standard(
      "google", as: "google.com", client: Self.googleClientID, person: person, nonce: nonce)
  }

  func openID(_ person: String, nonce: String? = Unique.nonce()) async throws -> Credential {
    try await standard(
      "oidc", as: "oidc.simulator", client: Self.oidcClientID, person: person, nonce: nonce)
  }

  private func standard(
    _ folder: String, as provider: String, client: String, person: String, nonce: String?
  ) async throws -> Credential {
    let reply = try await HTTP.post(
      "\(baseURL)/\(folder)/native-sign-in",
      .members(["client_id": client, "person": person, "nonce": nonce.map(Nonce.hash)]))
    guard let token = reply.json["idToken"].string else { throw Unexpected(reply) }
    return Credential(provider: provider, idToken: token, nonce: nonce)
  }

  /// The device's state of the person's Apple credential.
  func appleCredentialState(_ user: String) async throws -> String? {
    try await HTTP.get(
      "\(baseURL)/apple/credential-state?client_id=\(Self.bundleID)&user=\(Form.escape(user))"
    ).json["state"].string
  }
}

/// A response with which the test can't continue.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ reply: Reply) { description = "\(reply.status) \(reply.text)" }
}

enum Nonce {
  /// The nonce as apps give it to the provider: its SHA-256 in lower-case hex.
  static func hash(_ raw: String) -> String {
    SHA256.hash(data: Data(raw.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

enum Unique {
  static func name(_ prefix: String) -> String {
    "\(prefix)-\(UInt64.random(in: 0...UInt64.max))"
  }

  static func email(_ prefix: String = "someone") -> String { name(prefix) + "@example.com" }

  /// 32 characters, as most apps generate them.
  static func nonce() -> String {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVXYZabcdefghijklmnopqrstuvwxyz-._")
    return String((0..<32).compactMap { _ in characters.randomElement() })
  }
}
