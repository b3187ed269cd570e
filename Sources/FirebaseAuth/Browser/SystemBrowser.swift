internal import FirebaseCore
internal import Foundation
internal import GatehouseClient

#if canImport(AuthenticationServices)
  internal import AuthenticationServices
#endif
#if canImport(UIKit)
  internal import UIKit
#endif

/// The browser of a sign-in: the system's sheet, else one that comes back to a port of this machine.
enum SystemBrowser {
  /// - Throws: ``AuthErrorCode/invalidClientID`` where the app doesn't register the URL scheme to
  ///   come back by.
  static func make(
    for auth: Auth, delegate: (any AuthUIDelegate)?
  ) throws -> any WebPresenting {
    guard let app = auth.app, !app.isDeleted else { throw AuthErrorCode.appIsGone }
    if let given = app.services.browser { return given }
    #if canImport(AuthenticationServices)
      let registered =
        app.services.urlSchemes ?? CallbackScheme.registered(in: Bundle.main.infoDictionary)
      let scheme = try CallbackScheme(options: app.options, registered: registered)
      return WebSheet(scheme: scheme.name, window: window(of: delegate))
    #else
      guard let delegate else { return LoopbackPresenter() }
      return LoopbackPresenter(
        opener: BrowserOpener { url async throws(DeviceFault) in
          do {
            try await delegate.open(url)
          } catch {
            throw .failed(detail: "The AuthUIDelegate didn't open the page: \(error)")
          }
        })
    #endif
  }

  #if canImport(UIKit) && canImport(AuthenticationServices)
    /// The window of a delegate that is a view controller. Nil for the front window.
    private static func window(of delegate: (any AuthUIDelegate)?) -> AppleSheet.Window? {
      guard let controller = delegate as? UIViewController else { return nil }
      return { @MainActor [weak controller] in controller?.view.window }
    }
  #elseif canImport(AuthenticationServices)
    private static func window(of delegate: (any AuthUIDelegate)?) -> AppleSheet.Window? { nil }
  #endif
}

extension AuthErrorCode {
  /// The refusal of what needs the app's options, after the app was deleted.
  static var appIsGone: NSError {
    internalError.error(
      userInfo: [NSLocalizedFailureReasonErrorKey: "The FirebaseApp was deleted."])
  }
}
