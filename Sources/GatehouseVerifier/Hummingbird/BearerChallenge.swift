#if Verifier || Server
  import HTTPTypes
  import Hummingbird

  /// The header `WWW-Authenticate` (RFC 6750 §3) and the message of an error response.
  struct BearerChallenge {
    let message: String
    /// The header's parameters after `Bearer`. Values must not contain quotes or backslashes.
    let parameters: [(name: String, value: String)]

    /// "If the request lacks any authentication information …, the resource server SHOULD NOT include
    /// an error code" (§3.1).
    static let tokenMissing = BearerChallenge("An ID token is required.", [])

    static let malformedHeader = error(
      "invalid_request", "The Authorization header is malformed.")

    static let notAllowed = error("insufficient_scope", "This account isn't allowed to do that.")

    /// - Parameter reason: A sentence that contains nothing from the token.
    static func invalidToken(_ reason: String) -> BearerChallenge {
      error("invalid_token", reason)
    }

    /// RFC 9470 §3.
    static func signInTooOld(maximumSeconds: Int) -> BearerChallenge {
      error(
        "insufficient_user_authentication", "A more recent sign-in is required.",
        [("max_age", "\(maximumSeconds)")])
    }

    private static func error(
      _ code: String, _ message: String, _ more: [(String, String)] = []
    ) -> BearerChallenge {
      BearerChallenge(message, [("error", code), ("error_description", message)] + more)
    }

    private init(_ message: String, _ parameters: [(String, String)]) {
      self.message = message
      self.parameters = parameters.map { (name: $0.0, value: $0.1) }
    }

    var header: String {
      let list = parameters.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", ")
      return list.isEmpty ? "Bearer" : "Bearer \(list)"
    }
  }

  extension HTTPError {
    init(_ status: HTTPResponse.Status, _ challenge: BearerChallenge) {
      self.init(
        status, headers: [.wwwAuthenticate: challenge.header], message: challenge.message)
    }
  }
#endif
