import Foundation
import GatehouseAuth

/// What a sign-in screen shows and does.
@MainActor public final class SignInModel {
  public private(set) var message: String?
  public private(set) var isBusy = false

  private let auth: Auth

  public init(auth: Auth = .auth()) { self.auth = auth }

  public var userID: String? { auth.currentUser?.uid }

  public func signIn(email: String, password: String) async {
    isBusy = true
    defer { isBusy = false }
    do {
      try await auth.signIn(withEmail: email, password: password)
      message = nil
    } catch let error as NSError {
      message =
        switch AuthErrorCode(rawValue: error.code) {
        case .networkError: "You are offline."
        case .tooManyRequests: "Too many attempts. Try again later."
        default: "The email or the password is wrong."
        }
    }
  }

  public func deleteAccount() async {
    do {
      try await auth.currentUser?.delete()
    } catch let error as NSError where error.code == AuthErrorCode.requiresRecentLogin.rawValue {
      message = "Sign in again to delete the account."
    } catch {
      message = "The account was not deleted."
    }
  }
}
