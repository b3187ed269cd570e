package import GatehouseClient
import GatehouseProtocol

extension ClientError {
  /// The error that Firebase's SDK would throw. Its `userInfo` has what recovery needs.
  ///
  /// Only this function converts a `ClientError` to an error of Firebase.
  ///
  /// - Parameter inBrowser: Whether the call belongs to a sign-in in a browser. If so, a cancellation
  ///   has the code ``AuthErrorCode/webContextCancelled``. Otherwise it is a network error, as in
  ///   Firebase.
  package func nsError(inBrowser: Bool = false) -> NSError {
    switch self {
    case .server(let refusal):
      return refusal.nsError
    case .credentialInUse(let updated, let email, let code):
      let known = AuthErrorCode(serverCode: code) ?? .credentialAlreadyInUse
      return known.error(userInfo: recovery(updated: updated, email: email))
    case .phoneNumberInUse(let updated):
      return AuthErrorCode.credentialAlreadyInUse.error(
        userInfo: updated.map {
          [AuthErrors.userInfoUpdatedCredentialKey: PhoneAuthCredential($0)]
        } ?? [:])
    case .accountExists(let email, let providers, let updated):
      return AuthErrorCode.accountExistsWithDifferentCredential.error(
        userInfo: recovery(updated: updated, email: email, providers: providers))
    case .needsRecentSignIn(let providers):
      return AuthErrorCode.requiresRecentLogin.error(userInfo: recovery(providers: providers))
    case .nonce(let detail):
      return AuthErrorCode.missingOrInvalidNonce.error(detail.isEmpty ? nil : detail)
    case .consentRequired(let joins, let updated):
      return consentRequired(joins: joins, updated: updated)
    case .secondFactorRequired(let resolver):
      return AuthErrorCode.secondFactorRequired.error(
        userInfo: AuthRegistry.shared.auth(of: resolver).map {
          [AuthErrors.userInfoMultiFactorResolverKey: MultiFactorResolver(resolver, auth: $0)]
        } ?? [:])
    case .sessionEnded(let end):
      return end.code.error()
    case .userMismatch:
      return AuthErrorCode.userMismatch.error()
    case .notSignedIn:
      return AuthErrorCode.nullUser.error()
    case .network(let fault):
      return AuthErrorCode.networkError.error(userInfo: [NSUnderlyingErrorKey: fault.nsError])
    case .store(let fault):
      return AuthErrorCode.keychainError.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: "\(fault.kind.rawValue): \(fault.detail)"])
    case .badAnswer(let detail):
      return AuthErrorCode.internalError.error(
        userInfo: [NSUnderlyingErrorKey: InternalAuthError.responseDecoding.error(detail)])
    case .invalidArgument(let detail):
      return AuthErrorCode.internalError.error(
        detail, userInfo: [NSUnderlyingErrorKey: InternalAuthError.requestEncoding.error(detail)])
    case .cancelled:
      return inBrowser ? AuthErrorCode.webContextCancelled.error() : cancelledTask
    }
  }

  private var cancelledTask: NSError {
    let cause = NSError(domain: NSURLErrorDomain, code: URLError.Code.cancelled.rawValue)
    return AuthErrorCode.networkError.error(
      "The request was cancelled.", userInfo: [NSUnderlyingErrorKey: cause])
  }

  /// Firebase's SDK has no such response, and treats unknown codes as `internalError`.
  private func consentRequired(
    joins: [String], updated: IdentityProviderCredential?
  ) -> NSError {
    let message = "The project requires the user's consent before these are linked."
    var info = recovery(updated: updated)
    info[AuthErrors.userInfoConsentJoinsKey] = joins
    info[NSLocalizedFailureReasonErrorKey] = joins.joined(separator: ", ")
    info[NSLocalizedRecoverySuggestionErrorKey] =
      "Ask the user, then call signIn(with:consent:) or link(with:consent:)."
    info[NSUnderlyingErrorKey] = InternalAuthError.unexpectedErrorResponse.error(
      message, userInfo: [InternalAuthError.responseKey: ["code": "CONSENT_REQUIRED"]])
    return AuthErrorCode.internalError.error(message, userInfo: info)
  }

  private func recovery(
    updated: IdentityProviderCredential? = nil, email: String? = nil, providers: [Provider] = []
  ) -> [String: Any] {
    var info: [String: Any] = [:]
    if let updated { info[AuthErrors.userInfoUpdatedCredentialKey] = OAuthCredential(updated) }
    if let email { info[AuthErrors.userInfoEmailKey] = email }
    if !providers.isEmpty { info[AuthErrors.userInfoProvidersKey] = providers.map(\.rawValue) }
    return info
  }
}

extension ServerRefusal {
  fileprivate var nsError: NSError {
    guard let code = AuthErrorCode(serverCode: code) ?? codeOfAPIKey else { return unknown }
    if code == .blockingCloudFunctionError { return code.error(functionMessage ?? detail) }
    var info: [String: Any] = [:]
    if code == .weakPassword, let detail { info[NSLocalizedFailureReasonErrorKey] = detail }
    return code.error(detail, userInfo: info)
  }

  /// The message that a blocking function wrote: `HTTP Cloud Function returned an error: {"error": …}`.
  private var functionMessage: String? {
    guard let detail, let start = detail.utf8.firstIndex(of: UInt8(ascii: "{")),
      let answer = try? JSONObject(parsing: String(detail[start...]))
    else { return nil }
    return answer["error"]?["message"]?.string
  }

  /// A refused API key has no code: a server says it in words, or only in `errors[].reason`.
  private var codeOfAPIKey: AuthErrorCode? {
    if reason?.hasPrefix("keyInvalid") == true || code.hasPrefix("API key not valid") {
      return .invalidAPIKey
    }
    return reason == "ipRefererBlocked" ? .appNotAuthorized : nil
  }

  /// The error for a code without a case. Keeps the server's message: the app has nothing else to
  /// act on.
  private var unknown: NSError {
    let answer: [String: Any] = [
      "code": code, "status": status, "message": detail.map { "\(code) : \($0)" } ?? code,
    ]
    let cause = InternalAuthError.unexpectedErrorResponse.error(
      "The server sent \(status): \(code).", userInfo: [InternalAuthError.responseKey: answer])
    return AuthErrorCode.internalError.error(detail, userInfo: [NSUnderlyingErrorKey: cause])
  }
}

extension SessionEnd {
  fileprivate var code: AuthErrorCode {
    switch self {
    case .revoked: .userTokenExpired
    case .disabled: .userDisabled
    case .deleted: .userNotFound
    case .invalid: .invalidUserToken
    }
  }
}

extension NetworkFault {
  /// In `NSURLErrorDomain`, as URLSession reports it.
  fileprivate var nsError: NSError {
    NSError(
      domain: NSURLErrorDomain, code: urlErrorCode.rawValue,
      userInfo: [NSLocalizedDescriptionKey: detail])
  }

  private var urlErrorCode: URLError.Code {
    switch kind {
    case .offline: .notConnectedToInternet
    case .timedOut: .timedOut
    case .cannotConnect: .cannotConnectToHost
    case .secureConnectionFailed: .secureConnectionFailed
    case .lost: .networkConnectionLost
    case .serverUnavailable: .badServerResponse
    case .other: .unknown
    }
  }
}
