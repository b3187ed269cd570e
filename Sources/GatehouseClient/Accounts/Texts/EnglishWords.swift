struct EnglishWords: Words {
  func title(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Deleting didn't begin"
    case .reauthenticateApple: "Apple couldn't confirm that it's you"
    case .reauthenticateGoogle: "Google couldn't confirm that it's you"
    case .reauthenticate: "We couldn't confirm that it's you"
    case .revokeApple: "Still connected with Apple"
    case .revokeGoogle: "Still connected with Google"
    case .delete: "The account couldn't be deleted"
    }
  }

  func description(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "We couldn't look up your account."
    case .reauthenticateApple:
      "Before an account is deleted, Apple has to confirm who you are. That didn't work."
    case .reauthenticateGoogle:
      "Before an account is deleted, Google has to confirm who you are. That didn't work."
    case .reauthenticate:
      "Before an account is deleted, you have to sign in once more. That didn't work."
    case .revokeApple: "Apple couldn't be told that this app may no longer use your Apple Account."
    case .revokeGoogle:
      "Google couldn't be told that this app may no longer use your Google Account."
    case .delete: "The last step, deleting the account itself, didn't work."
    }
  }

  func suggestion(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Try again in a moment."
    case .reauthenticateApple: "Try again, with the Apple Account that you signed in with."
    case .reauthenticateGoogle: "Try again, with the Google Account that you signed in with."
    case .reauthenticate: "Try again, the way you usually sign in."
    case .revokeApple:
      "Try again. If it keeps failing, remove this app in Settings, under your name and “Sign in with Apple”, and then delete the account here."
    case .revokeGoogle:
      "Try again. If it keeps failing, remove this app in your Google Account, under “Third-party apps & services”, and then delete the account here."
    case .delete: "Try again. You don't have to repeat the completed steps."
    }
  }

  func advice(_ advice: Advice, for aim: AdviceAim) -> String {
    let deletes = aim == .deletion
    return switch advice {
    case .offline: "Check your internet connection, then try again."
    case .busy: "Another window is open. Finish there first, then try again."
    case .anotherAccount:
      deletes
        ? "You chose another account. Try again with the account that you signed in with."
        : "You chose another account. Try again with the account that is connected here."
    case .notOnThisDevice:
      "This isn't possible on this device. Try on the device where you signed in, or sign in another way."
    case .signInFirst:
      deletes ? "Sign in again, then delete your account." : "Sign in, then try again."
    case .proveByOtherWay:
      deletes
        ? "Sign out and in again, then delete your account within five minutes."
        : "Sign out and in again, then try again within five minutes."
    case .wrongPassword: "The password isn't right. Try again, or have a new one sent to you."
    case .tooManyAttempts: "There were too many attempts. Wait a few minutes, then try again."
    case .disabled:
      deletes
        ? "Your account is blocked. Write to the makers of this app to have it deleted."
        : "Your account is blocked. Write to the makers of this app."
    case .administratorsOnly:
      deletes
        ? "Only the makers of this app can delete accounts. Write to them to have your account deleted."
        : "Only the makers of this app can do this. Write to them."
    case .appIsNotSetUp:
      deletes
        ? "This app has a fault. Write to its makers to have your account deleted."
        : "This app has a fault. Write to its makers."
    case .accountExists:
      "You already have an account with this email address. Sign in to it the way you did before."
    case .accountInUse:
      "Another account uses this already. Choose another one, or sign out and sign in to that account."
    case .startAgain: "This took too long or was used before. Start again."
    case .agreeFirst: "You have to agree before these are connected. Nothing was changed."
    case .secondFactorFirst: "Your account also asks for a code. Enter it to continue."
    case .wrongCode: "The code isn't right. Try again, with the latest one."
    case .verifyEmailFirst:
      "Confirm your email address first: follow the link that we sent you."
    }
  }

  func progress(_ progress: DeletionProgress) -> String {
    switch progress {
    case .nothingRevoked: "Your account is unchanged."
    case .partlyRevoked:
      "Your account still exists. If you try again, deleting it continues where it stopped."
    }
  }

  func interface(_ text: InterfaceText) -> String {
    switch text {
    case .account: "Account"
    case .signOut: "Sign Out"
    case .deleteAccount: "Delete Account"
    case .deleteQuestion:
      "Your account and everything in it will be gone for good. Delete your account?"
    case .yesDelete: "Yes, Delete"
    case .cancel: "Cancel"
    case .ok: "OK"
    case .continueWithApple: "Continue with Apple"
    case .continueWithGoogle: "Continue with Google"
    case .continueWithProvider: "Continue in Browser"
    case .continueWithPassword: "Continue with Password"
    case .newAccountQuestion: "Are you new here, or do you have an account already?"
    case .newHere: "I'm New"
    case .haveAccount: "I Have an Account"
    case .waysToSignIn: "Ways to Sign In"
    case .connect: "Connect"
    case .disconnect: "Disconnect"
    case .email: "Email"
    case .password: "Password"
    case .passwordToDelete: "Enter your password to delete your account."
    case .signIn: "Sign In"
    case .signInToConnect: "Sign in to your account. We then connect the new way to sign in to it."
    case .consentTitle: "Connect to Your Account?"
    case .consentMessage:
      "If you agree, these are joined in one account, and the app knows that they are yours:"
    case .agree: "Agree"
    case .doNotConnect: "Don't Connect"
    case .yourEmail: "Your email address"
    case .yourPhoneNumber: "Your phone number"
    case .yourAppleAccount: "Your Apple Account"
    case .yourGoogleAccount: "Your Google Account"
    case .yourFacebookAccount: "Your Facebook account"
    case .yourGitHubAccount: "Your GitHub account"
    case .yourMicrosoftAccount: "Your Microsoft account"
    case .signInFailed: "Signing in didn't work"
    case .didNotWork: "That didn't work"
    case .tryAgain: "Try again in a moment."
    case .secondFactors: "Two-Step Sign-In"
    case .addSecondFactor: "Add a Second Step"
    case .secondFactorRequired:
      "Your account needs a second step. Choose how you want to confirm that it's you."
    case .chooseSecondFactor: "How do you want to confirm that it's you?"
    case .authenticatorApp: "Authenticator App"
    case .textMessage: "Text Message"
    case .recoveryCode: "Recovery Code"
    case .otherWay: "Choose Another Way"
    case .continue: "Continue"
    case .code: "Code"
    case .enterAppCode: "Enter the code that your authenticator app shows."
    case .enterMessageCode: "Enter the code that we sent you by text message."
    case .enterRecoveryCode: "Enter one of your recovery codes. It can't be used again."
    case .sendAgain: "Send Again"
    case .phoneNumber: "Phone Number"
    case .addToAuthenticator:
      "Scan this code with your authenticator app, open the app on this device, or type the key."
    case .openAuthenticator: "Open Authenticator App"
    case .continueWithPasskey: "Continue with Passkey"
    case .passkeys: "Passkeys"
    case .addPasskey: "Add a Passkey"
    case .usePasskey: "Use a Passkey"
    case .signUpWithPasskey: "Create an Account with a Passkey"
    case .recoveryCodesLeft: "Recovery codes left:"
    case .newRecoveryCodes: "Create New Recovery Codes"
    case .saveRecoveryCodes:
      "Keep these recovery codes in a safe place. Each of them signs you in once if you lose your device. They aren't shown again."
    case .savedRecoveryCodes: "I Have Saved Them"
    case .remove: "Remove"
    }
  }
}
