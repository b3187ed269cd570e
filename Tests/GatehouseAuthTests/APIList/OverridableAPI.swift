import Foundation
import GatehouseAuth

/// Google's SDK lets subclasses override these.
class OverriddenAuth: Auth, @unchecked Sendable {
  override func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
    try await super.signIn(with: credential)
  }
  override func signIn(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {}
  override func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
    try await super.signIn(withEmail: email, password: password)
  }
  override func signInAnonymously(
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {}
  override func createUser(withEmail email: String, password: String) async throws
    -> AuthDataResult
  { try await super.createUser(withEmail: email, password: password) }
  override func signOut() throws {}
  override func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {}
  override func applyActionCode(_ code: String) async throws {}
  override func revokeToken(withAuthorizationCode authorizationCode: String) async throws {}
  override func useEmulator(withHost host: String, port: Int) {}
  override func useUserAccessGroup(_ accessGroup: String?) throws {}
  override func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void)
    -> any NSObjectProtocol
  { super.addStateDidChangeListener(listener) }
  override func canHandle(_ url: URL) -> Bool { false }
  override func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }
}

class OverriddenUser: User, @unchecked Sendable {
  override func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String { "" }
  override func reload() async throws {}
  override func delete() async throws {}
  override func link(with credential: AuthCredential) async throws -> AuthDataResult {
    try await super.link(with: credential)
  }
  override func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    try await super.reauthenticate(with: credential)
  }
  override func unlink(fromProvider provider: String) async throws -> User { self }
  override func updatePassword(to password: String) async throws {}
  override func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {}
}

class OverriddenProvider: OAuthProvider, @unchecked Sendable {
  override func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential {
    try await super.credential(with: uiDelegate)
  }
}
