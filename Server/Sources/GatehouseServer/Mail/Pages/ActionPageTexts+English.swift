extension ActionPageTexts {
  static let english = ActionPageTexts(
    passwordReset: Story(
      asked: PageText(
        "Choose a new password",
        "For the account with the address {email}. All devices will be signed out."),
      button: "Save the password",
      done: PageText(
        "The password is changed",
        "Sign in to {email} with the new password. All devices were signed out.")),
    emailVerification: Story(
      asked: PageText("Confirm your email address", "Does {email} belong to your account?"),
      button: "Confirm the address",
      done: PageText("The address is confirmed", "{email} now belongs to your account.")),
    emailChange: Story(
      asked: PageText(
        "Change your email address",
        "The address of your account is {email}. It will be {newEmail}. All devices will be signed "
          + "out."),
      button: "Change the address",
      done: PageText(
        "The address is changed",
        "Sign in with {newEmail} from now on. All devices were signed out.")),
    emailRecovery: Story(
      asked: PageText(
        "Restore your email address",
        "The address of your account was changed. It will be {email} again. All devices will be "
          + "signed out. Passwords and other ways to sign in that were added since you last "
          + "confirmed this address will be removed."),
      button: "Restore the address",
      done: PageText(
        "The address is restored",
        "The address of your account is {email} again. All devices were signed out.")),
    newPassword: "New password",
    rules: Rules(
      minimumLength: "at least {n} characters", maximumLength: "at most {n} characters",
      lowercase: "a lower-case letter (a–z)", uppercase: "an upper-case letter (A–Z)",
      digit: "a digit (0–9)", symbol: "a special character such as ! ? # -"),
    badPassword: "This password wasn’t saved. It needs:",
    notYou: "If you didn’t ask for this, close this page. Nothing will change.",
    ownChange: "If you changed the address yourself, close this page. Nothing will change.",
    consent: Consent(
      asked: PageText(
        "Do these belong together?",
        "If you go on, all of these will belong to one account, and each of them signs in to it:"),
      button: "I agree: change the address", phone: "your phone number"),
    signIn: SignIn(
      asked: PageText("Sign in", "Go on in the app in which you asked for this link."),
      openApp: "Open the app", goOn: "Continue"),
    digits: Digits(
      asked: PageText(
        "Type the code", "We sent you an email with six digits. They are valid for ten minutes."),
      field: "Six digits", button: "Continue",
      wrong: "These aren’t the digits of the newest email, or they are too old.",
      orLink: "You can also use the link in the email."),
    resetMail: ResetMail(
      advice: "Someone else may know your password. Choose a new one:",
      button: "Mail me a link for a new password",
      adviceWithoutMail: "Someone else may know your password. Choose a new one in the app.",
      sent: PageText(
        "Check your mail",
        "If {email} belongs to an account, a link for a new password is on its way.")),
    ending: Ending(
      goOn: "Continue", close: "You can close this page and go back to the app.",
      untrusted: "The link leads on to a place that isn’t the app’s. Close this page and open the "
        + "app yourself."),
    faults: Faults(
      incomplete: PageText(
        "This link doesn’t work",
        "It is incomplete. Open it from the mail again, or ask for a new one in the app."),
      spent: PageText(
        "This link doesn’t work any more",
        "It has expired, was already used, or was replaced by a newer one. Ask for a new one in the "
          + "app."),
      spentRecovery: PageText(
        "This link doesn’t work any more",
        "It has expired or was already used. If your account still has another address, ask the people "
          + "who make the app for help."),
      userDisabled: PageText(
        "This account is disabled", "Only the people who make the app can enable it again."),
      emailTaken: PageText(
        "Nothing was changed", "The address belongs to another account by now."),
      notOffered: PageText(
        "The app doesn’t offer this", "Go back to the app and sign in in another way."),
      noApp: PageText(
        "This link opens the app",
        "Open it on the device that has the app, or ask for a new link in the app."),
      tooManyAttempts: PageText(
        "Too many attempts", "Nothing was changed. Wait some minutes, then open the link again."),
      otherSite: PageText(
        "This came from another site",
        "Nothing was changed. Open the link from the mail again, and use the button there."),
      busy: PageText("Not right now", "The server is busy. Try again in a moment.")))
}
