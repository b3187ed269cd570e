import Foundation
import HTTPTypes
import Hummingbird

/// A Microsoft error: OAuth's code, and one of the many numbers that begin with `AADSTS`
/// (Microsoft, "Microsoft Entra authentication and authorization error codes").
enum MicrosoftError {
  static func error(
    _ status: HTTPResponse.Status, _ code: String, _ number: Int, _ message: String
  ) -> SimulatorError {
    SimulatorError(status, code, "AADSTS\(number): \(message)")
  }

  static func missing(_ parameter: String) -> SimulatorError {
    error(
      .badRequest, "invalid_request", 900_144,
      "The request body must contain the following parameter: '\(parameter)'.")
  }

  static func unknownTenant(_ name: String) -> SimulatorError {
    error(
      .badRequest, "invalid_tenant", 90_002,
      "Tenant '\(name.prefix(64))' not found. Check to make sure you have the correct tenant ID and "
        + "are signing into the correct cloud.")
  }

  /// The error for a person without an account in the requested tenant. Shown to the person.
  static func notInTenant(_ person: Person, _ authority: MicrosoftAuthority) -> SimulatorError {
    if authority == .organizations {
      return error(
        .badRequest, "access_denied", 500_200,
        "User account '\(person.email)' is a personal Microsoft account. Personal Microsoft accounts "
          + "are not supported for this application unless explicitly invited to an organization.")
    }
    return error(
      .badRequest, "access_denied", 50_020,
      "User account '\(person.email)' from another identity provider does not exist in the tenant "
        + "and cannot access the application.")
  }

  static let wrongSecret = error(
    .unauthorized, "invalid_client", 7_000_215,
    "Invalid client secret provided. Ensure the secret being sent in the request is the client secret "
      + "value, not the client secret ID.")
  static let missingSecret = error(
    .unauthorized, "invalid_client", 7_000_218,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.")

  static func of(_ refusal: GrantRefusal) -> SimulatorError {
    func invalidGrant(_ number: Int, _ message: String) -> SimulatorError {
      error(.badRequest, "invalid_grant", number, message)
    }
    return switch refusal {
    case .unknownCode, .unknownRefreshToken:
      invalidGrant(9_002_313, "Invalid request. Request is malformed or invalid.")
    case .usedCode:
      invalidGrant(
        54_005,
        "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use "
          + "an existing refresh token.")
    case .expiredCode:
      invalidGrant(
        70_008,
        "The provided authorization code or refresh token has expired due to inactivity. Send a new "
          + "interactive authorization request for this user and resource.")
    case .codeOfAnotherClient, .refreshTokenOfAnotherClient:
      invalidGrant(70_000, "Provided grant is invalid or malformed.")
    case .redirectURI:
      error(
        .unauthorized, "invalid_client", 500_112,
        "The reply address does not match the reply address provided when requesting Authorization "
          + "code.")
    case .missingVerifier, .unexpectedVerifier, .wrongVerifier:
      invalidGrant(
        50_148,
        "The code_verifier does not match the code_challenge supplied in the authorization request "
          + "for PKCE.")
    case .withdrawn:
      invalidGrant(50_173, "The provided grant has expired due to it being revoked.")
    }
  }

  static let codeOfAnotherTenant = error(
    .badRequest, "invalid_grant", 700_005,
    "Provided Authorization Code is intended to use against other tenant, thus rejected.")

  /// The response in Microsoft's form.
  static func response(_ refusal: SimulatorError, now: Date) throws -> Response {
    let (trace, correlation) = (
      MicrosoftUser.guid(RandomToken.hex(bytes: 16)), MicrosoftUser.guid(RandomToken.hex(bytes: 16))
    )
    let timestamp = now.formatted(.iso8601).replacing("T", with: " ")
    let number = number(of: refusal)
    let message =
      refusal.message.hasPrefix("AADSTS") ? refusal.message : "AADSTS\(number): \(refusal.message)"
    return try .json(
      [
        "error": .string(refusal.code),
        "error_description": .string(
          "\(message)\r\nTrace ID: \(trace)\r\nCorrelation ID: \(correlation)\r\n"
            + "Timestamp: \(timestamp)"),
        "error_codes": .array([.integer(number)]), "timestamp": .string(timestamp),
        "trace_id": .string(trace), "correlation_id": .string(correlation),
        "error_uri": .string("https://login.microsoftonline.com/error?code=\(number)"),
      ], status: refusal.status)
  }

  /// The number in the message. An error that all providers share has none: Microsoft's number for it
  /// is 700027 for the client, otherwise 90014 ("MissingRequiredField").
  private static func number(of refusal: SimulatorError) -> Int {
    let digits = refusal.message.dropFirst("AADSTS".count).prefix { $0.isASCII && $0.isNumber }
    if refusal.message.hasPrefix("AADSTS"), let number = Int(digits) { return number }
    return refusal.code == "invalid_client" ? 700_027 : 90_014
  }
}
