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
        userInfo: [NSLocalizedFailureReasonErrorKey: "The response belongs to another request."])
    case .notUnderstood:
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: "The response is malformed."])
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
  /// The error that Firebase's SDK would throw. For a second browser it is
  /// ``AuthErrorCode/webContextAlreadyPresented``, which Firebase's SDK defines but doesn't throw.
  package var nsError: NSError {
    switch self {
    case .cancelled: AuthErrorCode.webContextCancelled.error()
    case .busy: AuthErrorCode.webContextAlreadyPresented.error()
    case .offline(let detail):
      AuthErrorCode.webNetworkRequestFailed.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .unavailable(let detail):
      AuthErrorCode.operationNotAllowed.error(
        "This device can't open a browser to sign in.",
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .failed(let detail):
      AuthErrorCode.webSignInUserInteractionFailure.error(
        userInfo: [NSLocalizedFailureReasonErrorKey: detail])
    case .notBegun(let error): error.nsError(inBrowser: true)
    }
  }
}
