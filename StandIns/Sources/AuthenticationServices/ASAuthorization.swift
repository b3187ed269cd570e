public import Foundation

#if !os(watchOS)
  public import UIKit
#endif

// The platform conditions are those of Apple's documentation, so that `scripts/platforms` detects
// code that uses what a platform doesn't have.
#if !os(watchOS)
  public typealias ASPresentationAnchor = UIWindow
#endif

public protocol ASAuthorizationCredential: NSObjectProtocol {}
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// The result of a success: the provider and the credential.
public final class ASAuthorization: NSObject {
  public struct Scope: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public static let fullName = Scope("full_name")
    public static let email = Scope("email")
  }

  public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let operationImplicit = Self(rawValue: "implicit")
    public static let operationLogin = Self(rawValue: "login")
    public static let operationRefresh = Self(rawValue: "refresh")
    public static let operationLogout = Self(rawValue: "logout")
  }

  public let provider: any ASAuthorizationProvider
  public let credential: any ASAuthorizationCredential

  init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
    self.provider = provider
    self.credential = credential
  }
}

open class ASAuthorizationRequest: NSObject {
  public let provider: any ASAuthorizationProvider
  init(provider: any ASAuthorizationProvider) { self.provider = provider }
}

open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
  public var requestedScopes: [ASAuthorization.Scope]?
  public var state: String?
  public var nonce: String?
  public var requestedOperation = ASAuthorization.OpenIDOperation.operationImplicit
}
