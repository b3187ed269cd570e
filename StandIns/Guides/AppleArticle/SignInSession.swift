import AuthenticationServices
import CryptoKit
import FirebaseAuth
import UIKit

// Apple's article “Authenticating users with Sign in with Apple” has no code. This is what it
// requires of an app, written with FirebaseAuth. GatehouseClient's `AccountManager` does more by
// itself: see its documentation.

/// One sign-in, from the sheet to the account.
@MainActor final class SignInSession: NSObject {
  /// “Store it locally, so your app can access it again in the event of a process or network
  /// failure”: the values that Apple sends only once.
  struct SaidOnce: Equatable {
    var user: String
    var name: PersonNameComponents?
    var email: String?
  }

  enum Person: Equatable { case likelyReal, needsVerification }

  private(set) var saidOnce: SaidOnce?
  private(set) var person: Person?
  private(set) var result: AuthDataResult?
  private(set) var failure: Error?

  private var nonce = ""
  private var state = ""

  /// “Detect and offer keychain credentials that the system already knows about”: one sheet offers
  /// both, so that no user creates a second account.
  func begin() {
    // “Associate a client session with an ID token using the nonce value.”
    nonce = UUID().uuidString
    state = UUID().uuidString
    let apple = ASAuthorizationAppleIDProvider().createRequest()
    apple.requestedScopes = [.fullName, .email]
    apple.nonce = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined()
    apple.state = state
    let password = ASAuthorizationPasswordProvider().createRequest()

    let controller = ASAuthorizationController(authorizationRequests: [apple, password])
    controller.delegate = self
    controller.presentationContextProvider = self
    controller.performRequests()
  }

  private func signIn(with credential: AuthCredential) {
    Auth.auth().signIn(with: credential) { result, error in
      self.result = result
      self.failure = error
    }
  }
}

extension SignInSession: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    switch authorization.credential {
    case let apple as ASAuthorizationAppleIDCredential:
      saidOnce = SaidOnce(user: apple.user, name: apple.fullName, email: apple.email)
      switch apple.realUserStatus {
      case .likelyReal: person = .likelyReal
      case .unknown, .unsupported: person = .needsVerification
      @unknown default: person = .needsVerification
      }
      // “The state contained in the authorization request” is returned. If it differs, the response
      // belongs to another request.
      guard apple.state == state, let token = apple.identityToken,
        let tokenText = String(data: token, encoding: .utf8)
      else {
        failure = ASAuthorizationError(.invalidResponse)
        return
      }
      signIn(
        with: OAuthProvider.appleCredential(
          withIDToken: tokenText, rawNonce: nonce, fullName: apple.fullName))
    case let password as ASPasswordCredential:
      signIn(
        with: EmailAuthProvider.credential(
          withEmail: password.user, password: password.password))
    default:
      failure = ASAuthorizationError(.notHandled)
    }
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: Error
  ) { failure = error }
}

extension SignInSession: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
    UIWindow()
  }
}
