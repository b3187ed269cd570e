import GatehouseServer
import GatehouseProtocol

extension Mailbox {
  /// A recipient that an operator names.
  init(recipient text: String) throws(CommandFailure) {
    do throws(MailboxFault) {
      if let email = EmailAddress(text) {
        self = try Mailbox(recipient: email)
      } else {
        self = try Mailbox(address: text)
      }
    } catch {
      throw CommandFailure("“\(text)” is no email address: \(error)")
    }
  }
}
