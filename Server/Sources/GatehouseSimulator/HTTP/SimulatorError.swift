package import HTTPTypes

/// An error response, in the form of RFC 6749 §5.2 for every endpoint:
/// `{"error":"…","error_description":"…"}`.
///
/// `==` compares everything.
package struct SimulatorError: Error, Equatable {
  package let status: HTTPResponse.Status
  package let code: String
  package let message: String
  /// The `WWW-Authenticate` header of a 401.
  package var challenge: String?

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  static func invalidRequest(_ message: String) -> SimulatorError {
    SimulatorError(.badRequest, "invalid_request", message)
  }
}
