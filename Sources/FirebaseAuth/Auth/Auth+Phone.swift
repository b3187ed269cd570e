public import Foundation

// What Google's SDK needs on iOS before it sends a code: proof that an app asks, by a push
// notification or a reCAPTCHA. The server asks for none; these keep apps compiling that call it.

extension Auth {
  /// What was set. Nothing uses it.
  public var apnsToken: Data? { nil }

  #if !os(macOS)
    /// Does nothing: there are no codes by push notification.
    public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {}
  #endif

  /// Whether the notification is for this library: never.
  public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

  /// Nothing to set up: the server asks for no reCAPTCHA.
  public func initializeRecaptchaConfig() async throws {}

  public func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) {
    completing(completion) {}
  }
}
