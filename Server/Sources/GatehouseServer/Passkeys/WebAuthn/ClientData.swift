import GatehouseProtocol
import GatehouseTokens

/// What a browser or system says about a ceremony (WebAuthn §5.8.1). The authenticator signs its hash.
enum ClientData {
  private static let limits = JSONLimits(
    bytes: 16 * 1024, depth: 8, values: 100, stringBytes: 8 * 1024)

  /// Reads the challenge, and checks nothing: the challenge names the ceremony to which
  /// ``check(_:is:expecting:)`` holds the rest.
  ///
  /// - Throws: ``WebAuthnFault/clientData``.
  static func challenge(in bytes: [UInt8]) throws(WebAuthnFault) -> [UInt8] {
    try challenge(in: try object(bytes))
  }

  /// Steps 6 to 11 of §7.1, and 10 to 14 of §7.2. Unknown members are ignored, as §5.8.1 demands.
  ///
  /// - Throws: ``WebAuthnFault/clientData``, ``WebAuthnFault/type``, ``WebAuthnFault/challenge``,
  ///   ``WebAuthnFault/origin``, ``WebAuthnFault/crossOrigin``.
  static func check(
    _ bytes: [UInt8], is type: String, expecting expected: PasskeyCeremony
  ) throws(WebAuthnFault) {
    let object = try object(bytes)
    guard let given = object["type"]?.string, given.hasSameBytes(as: type) else { throw .type }
    guard try challenge(in: object) == expected.challenge else { throw .challenge }
    guard let origin = object["origin"]?.string, expected.relyingParty.allows(origin: origin) else {
      throw .origin
    }
    switch object.optional("crossOrigin") {
    case nil, .bool(false)?:
      guard object.optional("topOrigin") == nil else { throw .crossOrigin }
    case .bool(true)?:
      // Only a page of the project may embed a page of the project.
      guard let top = object["topOrigin"]?.string, expected.relyingParty.allows(origin: top) else {
        throw .crossOrigin
      }
    default: throw .clientData
    }
  }

  private static func object(_ bytes: [UInt8]) throws(WebAuthnFault) -> JSONObject {
    guard let object = try? JSONObject(parsing: bytes, limits: limits) else { throw .clientData }
    return object
  }

  private static func challenge(in object: JSONObject) throws(WebAuthnFault) -> [UInt8] {
    guard let text = object["challenge"]?.string, let challenge = Base64URL.decode(text) else {
      throw .clientData
    }
    return challenge
  }
}
