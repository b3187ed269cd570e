public import Foundation

public final class ASPasswordCredential: NSObject, ASAuthorizationCredential, Sendable {
  public let user: String
  public let password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

public final class ASAuthorizationPasswordRequest: ASAuthorizationRequest {}

public final class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider {
  public func createRequest() -> ASAuthorizationPasswordRequest {
    ASAuthorizationPasswordRequest(provider: self)
  }
}
