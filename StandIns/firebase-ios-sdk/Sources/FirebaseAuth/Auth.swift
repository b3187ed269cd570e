import Foundation

open class Auth: NSObject {
  open class func auth() -> Auth { Auth() }
  open var currentUser: User? { nil }
  @discardableResult
  open func signIn(withCustomToken token: String) async throws -> AuthDataResult {
    AuthDataResult()
  }
  open func signOut() throws {}
}

open class User: NSObject {
  open var uid: String { "" }
}

open class AuthDataResult: NSObject {}
