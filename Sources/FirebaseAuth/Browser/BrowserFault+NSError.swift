package import GatehouseClient

extension BrowserFault {
  /// The error that Firebase's SDK would throw.
  package var nsError: NSError {
    switch self {
    case .device(let fault): fault.nsError
    case .notBegun(let error): error.nsError(inBrowser: true)
    case .page(let code, let message): Self.page(code: code, message: message)
    case .anotherRequest:
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: "The answer is for another request."])
    case .notUnderstood:
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: "The answer can't be understood."])
    }
  }

  private static func page(code: String, message: String?) -> NSError {
    switch code {
    case "auth/invalid-oauth-client-id": AuthErrorCode.invalidClientID.error(message)
    case "auth/network-request-failed": AuthErrorCode.webNetworkRequestFailed.error(message)
    case "auth/internal-error": AuthErrorCode.webInternalError.error(message)
    default:
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: "[\(code)] - \(message ?? "")"])
    }
  }
}

extension DeviceFault {
  /// The error that Firebase's SDK would throw, and for a second browser the one that it has and
  /// doesn't.
  package var nsError: NSError {
    switch self {
    case .cancelled: AuthErrorCode.webContextCancelled.error()
    case .busy: AuthErrorCode.webContextAlreadyPresented.error()
    case .offline(let detail):
      AuthErrorCode.webNetworkRequestFailed.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .unavailable(let detail):
      AuthErrorCode.operationNotAllowed.error(
        "This device can't open a browser for the sign-in.",
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .failed(let detail):
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .notBegun(let error): error.nsError(inBrowser: true)
    }
  }
}
