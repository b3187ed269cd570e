public import Foundation

// Google's SDK on iOS needs these functions before it sends a code: a push notification or a
// reCAPTCHA shows that the request comes from an app. Our server requires neither. The functions
// exist so that apps that call them compile.

extension Auth {
  /// Always nil: nothing uses the token.
  public var apnsToken: Data? { nil }

  #if !os(macOS)
    /// Does nothing: no codes are sent by push notification.
    public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {}
  #endif

  /// Always false: no notification is for this library.
  public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

  /// Does nothing: the server requires no reCAPTCHA.
  public func initializeRecaptchaConfig() async throws {}

  public func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) {
    completing(completion) {}
  }
}
