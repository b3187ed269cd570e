import GatehouseProtocol

/// Custom claims of an account, developer claims of a custom token, or session claims. They appear
/// at the top level of ID tokens.
public struct CustomClaims: Sendable, Hashable {
  /// The greatest length of ``jsonText``, in UTF-16 code units. JavaScript, and therefore Firebase,
  /// calls them characters.
  public static let greatestLength = 1000
  /// The greatest length of the developer claims of a custom token, in the same unit. Google's service
  /// doesn't apply ``greatestLength`` to them. With more, an ID token wouldn't fit into a header.
  public static let greatestDeveloperLength = 4096
  /// The greatest length of the developer claims in UTF-8. With more, an ID token that has custom claims
  /// too could be longer than the server accepts. Bytes.
  public static let greatestDeveloperBytes = 6 * 1024

  /// Names that the protocol reserves.
  public static let reservedNames = [
    "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "exp", "firebase", "iat",
    "iss", "jti", "nbf", "nonce", "sub",
  ]

  let object: JSONObject
  /// The text from which the claims were read, with its white space: Firebase returns it unchanged.
  public let jsonText: String

  /// Reads the text of a JSON object.
  ///
  /// - Parameter limit: The greatest length in UTF-16 code units.
  /// - Throws: ``CustomClaimsError``.
  public init(
    jsonText: String, limit: Int = CustomClaims.greatestLength
  ) throws(CustomClaimsError) {
    guard jsonText.utf16.count <= limit else { throw .tooLarge }
    guard let object = try? JSONObject(parsing: jsonText) else { throw .invalid }
    for member in object.members {
      if Self.reservedNames.containsBytes(of: member.name) {
        throw .forbidden(member.name)
      }
    }
    self.object = object
    self.jsonText = jsonText
  }

  public var isEmpty: Bool { object.isEmpty }

  public func contains(_ name: String) -> Bool { object[name] != nil }
}

/// Why custom claims are refused.
public enum CustomClaimsError: Error, Sendable, Hashable {
  /// Not a JSON object, or one with duplicate members.
  case invalid
  /// Longer than the limit.
  case tooLarge
  /// A name in ``CustomClaims/reservedNames``.
  case forbidden(String)
}
