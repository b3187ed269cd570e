import GatehouseAccounts
import GatehouseModel

extension PhoneCodeMessage {
  /// In `--dev`, where nothing is sent: says what a message would hold, as the emulator does.
  func show() {
    Terminal.say("To verify the phone number \(phoneNumber), use the code \(code.reveal()).")
  }
}

/// In `--dev`, where nothing is mailed: says what a mail would hold, as the emulator does.
struct TerminalDelivery: CodeDelivery {
  func deliver(_ message: CodeMessage) async {
    let link = message.link.reveal()
    switch message.purpose {
    case .passwordReset:
      Terminal.say(
        "To reset the password of \(message.email), open: \(link)&newPassword=NEW_PASSWORD_HERE")
    case .emailVerification:
      Terminal.say("To prove the address \(message.email), open: \(link)")
    case .emailSignIn:
      Terminal.say("To sign in as \(message.email), open: \(link)")
    case .emailChange:
      Terminal.say(
        "To change the address \(message.email) to \(message.recipient), open: \(link)")
    case .emailRecovery:
      Terminal.say("To take back the address \(message.email), open: \(link)")
    }
  }
}
