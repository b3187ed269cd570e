import HTTPTypes
import Hummingbird

/// An error of the Graph API (Meta, "Handling Errors"): the status is always 400.
struct GraphError: Error, Equatable {
  let code: Int
  let subcode: Int?
  let message: String

  init(_ code: Int, subcode: Int? = nil, _ message: String) {
    self.code = code
    self.subcode = subcode
    self.message = message
  }

  static let invalidToken = GraphError(
    190, "Invalid OAuth access token - Cannot parse access token")
  static let expiredToken = GraphError(
    190, subcode: 463, "Error validating access token: Session has expired")
  static let withdrawn = GraphError(
    190, subcode: 458,
    "Error validating access token: The user has not authorized the application")
  static let missingToken = GraphError(
    104, "An access token is required to request this resource.")

  func response() throws -> Response {
    var error = members
    error["error_subcode"] = subcode.map(JSONValue.integer)
    error["type"] = "OAuthException"
    error["fbtrace_id"] = .string(RandomToken.base64(bytes: 8))
    return try .json(["error": .object(error)], status: .badRequest)
  }

  /// The error as `debug_token` reports it about the inspected token.
  var tokenMembers: [String: JSONValue] {
    var error = members
    error["subcode"] = subcode.map(JSONValue.integer)
    return error
  }

  private var members: [String: JSONValue] {
    ["code": .integer(code), "message": .string(message)]
  }
}
