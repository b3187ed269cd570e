import AuthenticationServices
import FirebaseAuth
import UIKit

// The second half of Firebase's guide “Authenticate Using Apple”: revoking Apple's tokens and
// deleting the account, which the App Store requires of every app in which users create accounts.

class DeleteAccountViewController: UIViewController {
  // Not in the guide: the button, the signed-in user, and the output.
  let deleteButton = UIButton(type: .system)
  let messageLabel = UILabel()
  private(set) var message = "" {
    didSet { messageLabel.text = message }
  }
  private var user: User? { Auth.auth().currentUser }
  private var currentNonce: String?

  override func viewDidLoad() {
    super.viewDidLoad()
    deleteButton.setTitle("Delete Account", for: .normal)
    deleteButton.addAction(
      UIAction { [weak self] _ in self?.deleteCurrentUser() }, for: .touchUpInside)
    messageLabel.numberOfLines = 0
    view.addSubview(deleteButton)
    view.addSubview(messageLabel)
  }

  private func updateUI() {
    message = user == nil ? "Deleted" : "Signed in"
  }

  private func displayError(_ error: Error) {
    message = error.localizedDescription
  }

  private func deleteCurrentUser() {
    do {
      let nonce = try CryptoUtils.randomNonceString()
      currentNonce = nonce
      let appleIDProvider = ASAuthorizationAppleIDProvider()
      let request = appleIDProvider.createRequest()
      request.requestedScopes = [.fullName, .email]
      request.nonce = CryptoUtils.sha256(nonce)

      let authorizationController = ASAuthorizationController(authorizationRequests: [request])
      authorizationController.delegate = self
      authorizationController.presentationContextProvider = self
      authorizationController.performRequests()
    } catch {
      // In the unlikely case that nonce generation fails, show error view.
      displayError(error)
    }
  }
}

extension DeleteAccountViewController: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {

    guard let appleIDCredential = authorization.credential as? ASAuthorizationAppleIDCredential
    else {
      print("Unable to retrieve AppleIDCredential")
      return
    }

    guard let _ = currentNonce else {
      fatalError("Invalid state: A login callback was received, but no login request was sent.")
    }

    guard let appleAuthCode = appleIDCredential.authorizationCode else {
      print("Unable to fetch authorization code")
      return
    }

    guard let authCodeString = String(data: appleAuthCode, encoding: .utf8) else {
      print("Unable to serialize auth code string from data: \(appleAuthCode.debugDescription)")
      return
    }

    Task {
      do {
        try await Auth.auth().revokeToken(withAuthorizationCode: authCodeString)
        try await user?.delete()
        self.updateUI()
      } catch {
        self.displayError(error)
      }
    }
  }

  // The guide shows this method only for the sign-in.
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: Error
  ) {
    displayError(error)
  }
}

extension DeleteAccountViewController: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
    view.window ?? UIWindow()
  }
}
