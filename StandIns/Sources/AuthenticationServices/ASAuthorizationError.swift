public import Foundation

public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// On Apple's platforms it is also an `NSError`. Here it becomes one only by `as NSError`, so
/// `catch let error as NSError` doesn't catch it.
public struct ASAuthorizationError: Error, CustomNSError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case unknown = 1000
    case canceled, invalidResponse, notHandled, failed
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    case notInteractive
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    case matchedExcludedCredential
    @available(iOS 26, macOS 26, visionOS 26, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    case preferSignInWithApple = 1009
    @available(iOS 26, macOS 26, visionOS 26, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    case deviceNotConfiguredForPasskeyCreation
  }

  public static var errorDomain: String { ASAuthorizationErrorDomain }
  public static var unknown: Code { .unknown }
  public static var canceled: Code { .canceled }
  public static var invalidResponse: Code { .invalidResponse }
  public static var notHandled: Code { .notHandled }
  public static var failed: Code { .failed }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public static var notInteractive: Code { .notInteractive }

  public let code: Code
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { userInfo }
  public var userInfo: [String: Any] { underlying.map { [NSUnderlyingErrorKey: $0] } ?? [:] }
  private let underlying: NSError?

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    underlying = userInfo[NSUnderlyingErrorKey] as? NSError
  }
}

extension ASAuthorizationError.Code {
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? ASAuthorizationError)?.code == code
  }
}
