import AuthenticationServices
import UIKit

// A file of its own, because it can only be type-checked on Linux: see scripts/stand-ins.

extension ViewController {
  // `private` in the tutorial, whose one file has both.
  #if canImport(ObjectiveC)
    // As the tutorial has it. Linux has no selectors, so this is type-checked there and no more:
    // scripts/stand-ins does.
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
    // The nearest form that runs without Objective-C: UIKit's own, since iOS 14.
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
