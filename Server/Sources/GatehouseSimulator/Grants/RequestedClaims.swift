import Foundation

/// Claims that a client requests by name besides those of its scopes (OpenID Connect Core §5.5).
/// Requested values are ignored.
struct RequestedClaims: Sendable {
  private static let maximumNames = 32

  var idToken: Set<String> = []
  var userInfo: Set<String> = []

  init() {}

  /// - Parameter parameter: The `claims` parameter, a JSON object.
  /// - Throws: `invalid_request`.
  init(_ parameter: String?) throws(SimulatorError) {
    guard let parameter else { return }
    guard parameter.utf8.count <= 4_096,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(parameter.utf8)),
      case .object(let members) = value
    else { throw .invalidRequest("claims must be a JSON object of at most 4096 bytes.") }
    idToken = Self.names(members["id_token"])
    userInfo = Self.names(members["userinfo"])
  }

  private static func names(_ value: JSONValue?) -> Set<String> {
    guard case .object(let members)? = value else { return [] }
    return Set(members.keys.sorted().prefix(maximumNames))
  }
}
