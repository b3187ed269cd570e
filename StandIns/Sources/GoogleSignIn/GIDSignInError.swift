public import Foundation

public let kGIDSignInErrorDomain = "com.google.GIDSignIn"

/// On Apple's platforms it is also an `NSError`. Here it becomes one only by `as NSError`.
public struct GIDSignInError: Error, CustomNSError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case unknown = -1
    case keychain = -2
    case hasNoAuthInKeychain = -4
    case canceled = -5
    case EMM = -6
    case scopesAlreadyGranted = -8
    case mismatchWithCurrentUser = -9
  }

  public static var errorDomain: String { kGIDSignInErrorDomain }
  public static var unknown: Code { .unknown }
  public static var keychain: Code { .keychain }
  public static var hasNoAuthInKeychain: Code { .hasNoAuthInKeychain }
  public static var canceled: Code { .canceled }
  public static var mismatchWithCurrentUser: Code { .mismatchWithCurrentUser }

  public let code: Code
  public var errorCode: Int { code.rawValue }

  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}

extension GIDSignInError.Code {
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? GIDSignInError)?.code == code
  }
}

/// The error of AppAuth, on which Google's SDK is built, for a refusal by Google's token endpoint.
func tokenEndpointError(_ code: String, _ description: String?) -> NSError {
  let codes = [
    "invalid_request": -2, "invalid_client": -3, "invalid_grant": -10, "unauthorized_client": -4,
    "unsupported_grant_type": -11,
  ]
  return NSError(
    domain: "org.openid.appauth.oauth_token", code: codes[code] ?? -0xEFFF,
    userInfo: [
      NSLocalizedDescriptionKey: "\(code): \(description ?? "")",
      "OIDOAuthErrorResponseErrorKey": ["error": code, "error_description": description ?? ""],
    ])
}

/// The error of the SDK's transport on a device without a network.
func offlineError() -> NSError {
  NSError(
    domain: "org.openid.appauth.general", code: -5,
    userInfo: [
      NSLocalizedDescriptionKey: "The Internet connection appears to be offline.",
      NSUnderlyingErrorKey: NSError(
        domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet),
    ])
}
