internal import GatehouseCore
internal import Foundation
internal import GatehouseClient

#if canImport(AuthenticationServices)
  internal import AuthenticationServices
#endif

/// Chooses the browser of a sign-in: a view controller that the app presents, the system's sheet,
/// or a browser whose response arrives at a port of this machine.
enum SystemBrowser {
  /// - Throws: ``AuthErrorCode/invalidClientID`` if the app doesn't register the callback URL
  ///   scheme.
  static func make(
    for auth: Auth, delegate: (any AuthUIDelegate)?
  ) throws -> any WebPresenting {
    guard let app = auth.app, !app.isDeleted else { throw AuthErrorCode.appIsGone }
    if let given = app.services.browser { return given }
    #if canImport(AuthenticationServices)
      #if os(macOS)
        if let delegate { return loopback(delegate) }
      #endif
      let registered =
        app.services.urlSchemes ?? CallbackScheme.registered(in: Bundle.main.infoDictionary)
      let scheme = try CallbackScheme(options: app.options, registered: registered)
      #if canImport(SafariServices) && canImport(UIKit) && !os(visionOS)
        if let delegate { return DelegateBrowser(scheme: scheme.name, delegate: delegate) }
      #endif
      guard #available(tvOS 16, *) else {
        throw AuthErrorCode.operationNotAllowed.error(
          "Apple TV has browser sign-ins since tvOS 16.")
      }
      return WebSheet(scheme: scheme.name)
    #else
      guard let delegate else { return LoopbackPresenter() }
      return loopback(delegate)
    #endif
  }

  #if os(macOS) || !canImport(AuthenticationServices)
    /// The delegate opens the page, in a browser of its choice.
    private static func loopback(_ delegate: any AuthUIDelegate) -> LoopbackPresenter {
      LoopbackPresenter(
        opener: BrowserOpener { url async throws(DeviceFault) in
          do {
            try await delegate.open(url)
          } catch {
            throw .failed(detail: "The AuthUIDelegate didn't open the page: \(error)")
          }
        })
    }
  #endif
}

extension AuthErrorCode {
  /// The error for calls that need the app's options, after the app was deleted.
  static var appIsGone: NSError {
    internalError.error(
      userInfo: [NSLocalizedFailureReasonErrorKey: "The FirebaseApp was deleted."])
  }
}
