internal import FirebaseCore
internal import Foundation
internal import GatehouseClient

/// The browser of a sign-in.
enum SystemBrowser {
  /// - Throws: ``AuthErrorCode/invalidClientID`` where a browser couldn't come back to the app,
  ///   ``AuthErrorCode/operationNotAllowed`` on a platform without a browser.
  static func make(
    for auth: Auth, delegate: (any AuthUIDelegate)?
  ) throws -> any WebPresenting {
    guard let app = auth.app else { throw AuthErrorCode.appIsGone }
    if let given = app.services.browser { return given }
    throw DeviceFault.unavailable(detail: "There is no browser on this platform.").nsError
  }
}

extension AuthErrorCode {
  /// The refusal of what needs the app's options, after the app was deleted.
  static var appIsGone: NSError {
    internalError.error(
      userInfo: [NSLocalizedFailureReasonErrorKey: "The FirebaseApp was deleted."])
  }
}
