extension BuiltInLanguage {
  static let english = BuiltInLanguage(
    tag: .english,
    phrases: MailPhrases(
      greeting: "Hello{{#displayName}} {{displayName}}{{/displayName}},",
      code: "Or enter this code in the app within 10 minutes:",
      validity: "The link is valid for {{expiry}} and works once.",
      address: "If the button doesn’t work, open this address in your browser:",
      footer: "{{appName}} sent this email automatically."),
    text: englishText)

  private static func englishText(_ kind: MailKind) -> MailText {
    switch kind {
    case .verifyEmail:
      MailText(
        subject: "Verify your email address for {{appName}}",
        heading: "Verify your email address",
        paragraphs: [
          "Someone entered {{email}} as the email address of an account at {{appName}}. If that was "
            + "you, confirm that the address is yours."
        ],
        button: "Verify email address",
        otherwise: "If it wasn’t you, ignore this email. The address then stays unconfirmed.")
    case .resetPassword:
      MailText(
        subject: "Reset your password for {{appName}}",
        heading: "Reset your password",
        paragraphs: [
          "Someone asked to reset the password of the {{appName}} account with the email address "
            + "{{email}}. If that was you, choose a new password."
        ],
        button: "Choose a new password",
        otherwise: "If it wasn’t you, ignore this email. Your password stays as it is.")
    case .signIn:
      MailText(
        subject: "Sign in to {{appName}}",
        heading: "Sign in to {{appName}}",
        paragraphs: [
          "Someone asked to sign in to {{appName}} with the email address {{email}}. If that was you, "
            + "continue below."
        ],
        button: "Sign in",
        otherwise:
          "If it wasn’t you, ignore this email, and nobody is signed in. Don’t forward it: "
          + "anyone who has it can sign in as you.")
    case .verifyAndChangeEmail:
      MailText(
        subject: "Confirm your new email address for {{appName}}",
        heading: "Confirm your new email address",
        paragraphs: [
          "Someone asked to change the email address of an account at {{appName}} to {{newEmail}}. If "
            + "that was you, confirm the new address."
        ],
        button: "Confirm new address",
        otherwise: "If it wasn’t you, ignore this email. The account then keeps its address.")
    case .recoverEmail:
      MailText(
        subject: "Your email address for {{appName}} was changed",
        heading: "Your email address was changed",
        paragraphs: [
          "{{#newEmail}}The email address of your {{appName}} account was changed from {{email}} to "
            + "{{newEmail}}.{{/newEmail}}{{^newEmail}}The email address {{email}} was removed from your "
            + "{{appName}} account.{{/newEmail}} If that was you, there is nothing to do.",
          "If it wasn’t you, undo the change. Your account then has the address {{email}} again.",
        ],
        button: "Undo the change",
        otherwise: "If you ignore this email, the change stays.")
    case .passwordChanged:
      MailText(
        subject: "Your password for {{appName}} was changed",
        heading: "Your password was changed",
        paragraphs: [
          "The password of the {{appName}} account with the email address {{email}} was changed. If "
            + "that was you, there is nothing to do."
        ],
        otherwise: "If it wasn’t you, open {{appName}} and reset your password where you sign in.")
    case .providerLinked:
      MailText(
        subject: "New way to sign in to {{appName}}",
        heading: "New way to sign in",
        paragraphs: [
          "You can now sign in with {{providerName}} to the {{appName}} account with the email address "
            + "{{email}}. If you added it, there is nothing to do."
        ],
        otherwise: "If you didn’t add it, open {{appName}}, remove it from your account and change "
          + "your password.")
    case .secondFactorAdded:
      MailText(
        subject: "New second factor for {{appName}}",
        heading: "New second factor",
        paragraphs: [
          "A second factor was added to the {{appName}} account with the email address "
            + "{{email}}: signing in now also takes a code. If you added it, there is nothing to "
            + "do."
        ],
        otherwise:
          "If you didn’t add it, open {{appName}}, remove it from your account and change your "
          + "password.")
    case .secondFactorRemoved:
      MailText(
        subject: "Second factor removed from {{appName}}",
        heading: "Second factor removed",
        paragraphs: [
          "A second factor was removed from the {{appName}} account with the email address "
            + "{{email}}. If you removed it, there is nothing to do."
        ],
        otherwise:
          "If you didn’t remove it, open {{appName}}, change your password and add it again.")
    case .recoveryCodesCreated:
      MailText(
        subject: "New recovery codes for {{appName}}",
        heading: "New recovery codes",
        paragraphs: [
          "New recovery codes were created for the {{appName}} account with the email address "
            + "{{email}}. Earlier ones can’t be used any more. If you created them, there is "
            + "nothing to do."
        ],
        otherwise:
          "If you didn’t create them, open {{appName}}, change your password and create new "
          + "recovery codes.")
    case .recoveryCodeUsed:
      MailText(
        subject: "Recovery code used for {{appName}}",
        heading: "A recovery code was used",
        paragraphs: [
          "Somebody signed in to the {{appName}} account with the email address {{email}} "
            + "with a recovery code. If that was you, there is nothing to do."
        ],
        otherwise:
          "If it wasn’t you, open {{appName}}, change your password and create new recovery "
          + "codes.")
    case .passkeyAdded:
      MailText(
        subject: "New passkey for {{appName}}",
        heading: "New passkey",
        paragraphs: [
          "A passkey was added to the {{appName}} account with the email address {{email}}. Anyone who "
            + "has it can sign in. If you added it, there is nothing to do."
        ],
        otherwise: "If you didn’t add it, open {{appName}}, remove it from your account and change "
          + "your password.")
    case .passkeyRemoved:
      MailText(
        subject: "Passkey for {{appName}} removed",
        heading: "Passkey removed",
        paragraphs: [
          "A passkey of the {{appName}} account with the email address {{email}} was removed. Nobody can "
            + "sign in with it any more. If you removed it, there is nothing to do."
        ],
        otherwise:
          "If you didn’t remove it, open {{appName}} and check how you can sign in to your "
          + "account.")
    case .deletionScheduled:
      MailText(
        subject: "Your {{appName}} account will be deleted",
        heading: "Your account will be deleted",
        paragraphs: [
          "The {{appName}} account with the email address {{email}} will be deleted in {{expiry}}. If "
            + "you asked for this, there is nothing to do.",
          "To keep the account, sign in before then.",
        ],
        otherwise: "If you didn’t ask for it, sign in now and change your password.")
    case .accountDeleted:
      MailText(
        subject: "Your {{appName}} account was deleted",
        heading: "Your account was deleted",
        paragraphs: [
          "The {{appName}} account with the email address {{email}} was deleted. Nobody can sign in "
            + "with it any more. If you asked for this, there is nothing to do."
        ],
        otherwise: "If you didn’t ask for it, contact the people who run {{appName}}.")
    }
  }
}
