public import Foundation

/// Texts of buttons and questions on an app's account pages.
public enum InterfaceText: String, Sendable, Hashable, CaseIterable {
  case account, signOut, deleteAccount, deleteQuestion, yesDelete, cancel, ok
  case continueWithApple, continueWithGoogle, continueWithProvider, continueWithPassword
  case newAccountQuestion, newHere, haveAccount
  case waysToSignIn, connect, disconnect
  case email, password, passwordToDelete, signIn
  case signInToConnect, consentTitle, consentMessage, agree, doNotConnect
  case yourEmail, yourPhoneNumber, yourAppleAccount, yourGoogleAccount, yourFacebookAccount
  case yourGitHubAccount, yourMicrosoftAccount
  case signInFailed, didNotWork, tryAgain
  case secondFactors, addSecondFactor, secondFactorRequired, chooseSecondFactor
  case authenticatorApp, textMessage, recoveryCode, otherWay, `continue`
  case code, enterAppCode, enterMessageCode, enterRecoveryCode, sendAgain, phoneNumber
  case addToAuthenticator, openAuthenticator
  case continueWithPasskey, passkeys, addPasskey, usePasskey, signUpWithPasskey
  case recoveryCodesLeft, newRecoveryCodes, saveRecoveryCodes, savedRecoveryCodes, remove

  public func text(in language: TextLanguage = .preferred) -> String {
    language.words.interface(self)
  }
}

extension AccountError {
  /// What the user can do, in their language, after a sign-in, a link or a disconnection failed. For
  /// a deletion use ``DeletionError/text(in:)``.
  public func suggestion(in language: TextLanguage = .preferred) -> String {
    Advice(self).map { language.words.advice($0, for: .other) }
      ?? InterfaceText.tryAgain.text(in: language)
  }
}

/// Uses the first of the user's preferred languages that is supported.
extension AccountError: LocalizedError {
  public var errorDescription: String? { InterfaceText.didNotWork.text() }
  public var recoverySuggestion: String? { suggestion() }
}
