import Foundation
import HTTPTypes

/// A JWT with which a client authenticates (`private_key_jwt`: RFC 7523 §3, OpenID Connect Core
/// §9).
struct ClientAssertion: Sendable {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  private static let maximumBytes = 8_192
  /// The maximum time until `exp`, in seconds.
  private static let maximumLifetime = 3_600.0
  private static let maximumSkew = 60.0

  private let signingInput: Data
  private let signature: Data
  private let header: JSONValue
  private let claims: JSONValue
  /// The client id that the assertion claims in `sub`. Not verified.
  let clientID: String

  /// - Throws: `invalid_client` unless `text` is a JWT with a `sub`.
  init(_ text: String) throws(SimulatorError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maximumBytes, parts.count == 3,
      let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
      let signature = Base64URL.bytes(parts[2])
    else { throw Self.refusal("it is not a JWT") }
    guard let subject = claims["sub"]?.stringValue, !subject.isEmpty else {
      throw Self.refusal("it has no sub")
    }
    signingInput = Data("\(parts[0]).\(parts[1])".utf8)
    self.signature = signature
    self.header = header
    self.claims = claims
    clientID = subject
  }

  /// - Parameter audiences: The token endpoint's URL and the issuer. `aud` must contain one of
  ///   them.
  /// - Returns: The `jti`. The caller must accept it only once.
  /// - Throws: `invalid_client` with the reason.
  func verify(
    _ keys: [ClientKey], audiences: [String], now: Date
  ) throws(SimulatorError) -> String {
    try checkSignature(keys)
    // §3: "iss", "sub", "aud", "exp"; Core §9: "jti".
    guard claims["iss"]?.stringValue?.isSame(as: clientID) == true else {
      throw Self.refusal("its iss is not its sub")
    }
    guard self.audiences.contains(where: { named in audiences.contains { $0.isSame(as: named) } })
    else { throw Self.refusal("its aud is neither the issuer nor the token endpoint") }
    let time = now.timeIntervalSince1970
    guard let expiry = claims["exp"]?.doubleValue else { throw Self.refusal("it has no exp") }
    guard expiry > time else { throw Self.refusal("it has expired") }
    guard expiry - time <= Self.maximumLifetime + Self.maximumSkew else {
      throw Self.refusal("its exp is more than an hour away")
    }
    for name in ["iat", "nbf"] {
      guard (claims[name]?.doubleValue ?? time) <= time + Self.maximumSkew else {
        throw Self.refusal("its \(name) is in the future")
      }
    }
    guard let id = claims["jti"]?.stringValue, (1...256).contains(id.utf8.count) else {
      throw Self.refusal("it has no jti")
    }
    return id
  }

  private func checkSignature(_ keys: [ClientKey]) throws(SimulatorError) {
    guard let name = header["alg"]?.stringValue,
      let algorithm = ClientKey.Algorithm(rawValue: name)
    else { throw Self.refusal("its alg is not supported") }
    let keyID = header["kid"]?.stringValue
    let candidates = keys.filter { key in
      guard let keyID, let id = key.id else { return true }
      return keyID.isSame(as: id)
    }
    guard candidates.contains(where: { $0.isSigned(signingInput, signature, algorithm) }) else {
      throw Self.refusal("none of the client's registered keys signed it")
    }
  }

  private var audiences: [String] {
    switch claims["aud"] {
    case .string(let one): [one]
    case .array(let several): several.compactMap(\.stringValue)
    default: []
    }
  }

  private static func json(_ part: Substring) -> JSONValue? {
    Base64URL.bytes(part).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
  }

  static func refusal(_ reason: String) -> SimulatorError {
    SimulatorError(
      .unauthorized, "invalid_client", "The client_assertion was rejected: \(reason).")
  }
}
