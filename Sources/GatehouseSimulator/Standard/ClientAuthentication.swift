import Foundation
import HTTPTypes
import Hummingbird

/// Who a client says it is at the token endpoint (RFC 6749 §2.3.1): `client_secret_basic`,
/// `client_secret_post`, or without a secret as an app does that can't keep one.
struct ClientAuthentication: Sendable {
  let clientID: String
  private let secret: String?

  /// - Throws: `invalid_request` if there is no client, or two ways at once; `invalid_client` for an
  ///   `Authorization` header that can't be read.
  init(_ request: Request, _ form: RequestForm) throws(SimulatorError) {
    guard let header = request.headers[.authorization] else {
      clientID = try form.require("client_id")
      secret = form.filled("client_secret")
      return
    }
    guard form["client_secret"] == nil else {
      throw .invalidRequest("The client must not authenticate in two ways at once.")
    }
    (clientID, secret) = try Self.parseBasic(header)
    if let inForm = form.filled("client_id"), !inForm.isSame(as: clientID) {
      throw .invalidRequest("client_id is not the one of the Authorization header.")
    }
  }

  /// - Parameter registered: Nil if nobody told about the client: then anything is taken.
  /// - Throws: `invalid_client`; `invalid_request` if a secret is needed and absent.
  func check(against registered: RegisteredClient?) throws(SimulatorError) {
    guard let expected = registered?.clientSecret else { return }
    guard let secret else { throw .invalidRequest("client_secret is missing.") }
    guard secret.isSameSecret(as: expected) else { throw Self.invalidClient("Unauthorized") }
  }

  private static func parseBasic(
    _ header: String
  ) throws(SimulatorError) -> (String, String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]).foldingASCII() == "basic",
      let data = Data(base64Encoded: String(parts[1])),
      let text = String(validating: data, as: UTF8.self),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { throw invalidClient("The Authorization header is not Basic.") }
    // Both halves are form-encoded before they are joined (RFC 6749 §2.3.1).
    let pair = "id=\(text[..<colon])&secret=\(text[colon...].dropFirst())"
    let form = try RequestForm(parsing: pair)
    return (try form.require("id"), form["secret"] ?? "")
  }

  private static func invalidClient(_ message: String) -> SimulatorError {
    var error = SimulatorError(.unauthorized, "invalid_client", message)
    error.challenge = "Basic realm=\"simulator\""
    return error
  }
}
