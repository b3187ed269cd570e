import GatehouseServer
import GatehouseProtocol

extension PhoneCodeMessage {
  /// Prints what a text message would contain, as the emulator does. `--dev` does this for a project
  /// without a webhook.
  func show() {
    Terminal.say("To verify the phone number \(phoneNumber), use the code \(code.reveal()).")
  }
}

/// Prints what an email would contain, as the emulator does: `--dev` sends no email.
struct TerminalDisplay: CodeDisplay {
  func show(_ message: CodeMessage) async {
    let link = message.link.reveal()
    switch message.purpose {
    case .passwordReset:
      Terminal.say(
        "To reset the password of \(message.email), open: \(link)&newPassword=NEW_PASSWORD_HERE")
    case .emailVerification:
      Terminal.say("To verify the address \(message.email), open: \(link)")
    case .emailSignIn:
      Terminal.say("To sign in as \(message.email), open: \(link)")
    case .emailChange:
      Terminal.say(
        "To change the address \(message.email) to \(message.recipient), open: \(link)")
    case .emailRecovery:
      Terminal.say("To recover the address \(message.email), open: \(link)")
    }
    if let digits = message.digits { Terminal.say("Or use the code \(digits.reveal()).") }
  }
}
