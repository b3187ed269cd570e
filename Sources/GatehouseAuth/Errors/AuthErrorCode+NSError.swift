public import Foundation

extension AuthErrorCode {
  /// The error that is thrown: a real `NSError`, so that `catch let error as NSError` catches it on
  /// Linux too.
  ///
  /// - Parameters:
  ///   - message: Replaces the case's own text.
  ///   - userInfo: Added to the name and the description. Its values take precedence.
  package func error(_ message: String? = nil, userInfo: [String: Any] = [:]) -> NSError {
    var all: [String: Any] = [
      AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: message ?? text,
    ]
    all.merge(userInfo) { _, given in given }
    return NSError(domain: AuthErrors.domain, code: rawValue, userInfo: all)
  }
}

extension AuthErrorCode: CustomNSError, LocalizedError {
  /// ``AuthErrors/domain``
  public static var errorDomain: String { AuthErrors.domain }
  /// The number, like 17025.
  public var errorCode: Int { rawValue }
  /// The name and the text. The details of one failure are only in the `NSError`.
  public var errorUserInfo: [String: Any] {
    [AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: text]
  }
  /// The case's own text, in English.
  public var errorDescription: String? { text }
}

extension AuthErrorCode {
  /// The code of an error that this library threw.
  ///
  /// For an error of another domain, or with an unknown number, it is ``internalError``.
  @available(*, deprecated, message: "Use `error as? AuthErrorCode` or AuthErrorCode(rawValue:)")
  public init(_nsError error: NSError) {
    self = Self(of: error) ?? .internalError
  }

  /// The code itself. In older versions errors were structures around a code, and apps created them
  /// with this initializer.
  @available(*, deprecated, message: "The code is the error: leave the initializer out")
  public init(_ code: AuthErrorCode) { self = code }

  /// The name of this type in versions in which the error was a structure around its code.
  public typealias Code = AuthErrorCode

  /// - Returns: nil for an error of another domain, or with an unknown number.
  package init?(of error: NSError) {
    guard error.domain == AuthErrors.domain else { return nil }
    self.init(rawValue: error.code)
  }
}

/// Lets `as? AuthErrorCode` and `catch AuthErrorCode.networkError` find the code in an `NSError`,
/// also without Objective-C.
///
/// The compiler requires these function names, which Foundation's own errors use. Apps don't call
/// these functions.
extension AuthErrorCode: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError { error() }

  public static func _forceBridgeFromObjectiveC(
    _ source: NSError, result: inout AuthErrorCode?
  ) {
    result = AuthErrorCode(of: source)
  }

  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout AuthErrorCode?
  ) -> Bool {
    result = AuthErrorCode(of: source)
    return result != nil
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AuthErrorCode {
    source.flatMap(AuthErrorCode.init(of:)) ?? .internalError
  }
}
