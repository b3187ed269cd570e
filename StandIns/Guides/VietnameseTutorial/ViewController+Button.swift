import AuthenticationServices
import UIKit

// In its own file, because Linux can only type-check it: see scripts/stand-ins.

extension ViewController {
  // `private` in the tutorial, which has only one file.
  #if canImport(ObjectiveC)
    // As in the tutorial. Linux has no selectors, so scripts/stand-ins only type-checks it.
    func configSigninWithAppleButton() {
      let authorizationButton = ASAuthorizationAppleIDButton()
      authorizationButton.addTarget(
        self, action: #selector(handleLogInWithAppleIDButtonPress), for: .touchUpInside)
      authorizationButton.frame = CGRect(x: 16, y: 250, width: 380, height: 46)
      view.addSubview(authorizationButton)
    }

    @objc
    private func handleLogInWithAppleIDButtonPress() {
      startSignInWithAppleFlow()
    }
  #else
    // The most similar code that runs without Objective-C: UIKit's own form since iOS 14.
    func configSigninWithAppleButton() {
      let authorizationButton = ASAuthorizationAppleIDButton()
      authorizationButton.addAction(
        UIAction { [weak self] _ in self?.handleLogInWithAppleIDButtonPress() }, for: .touchUpInside
      )
      authorizationButton.frame = CGRect(x: 16, y: 250, width: 380, height: 46)
      view.addSubview(authorizationButton)
    }

    private func handleLogInWithAppleIDButtonPress() {
      startSignInWithAppleFlow()
    }
  #endif
}
