/// The result of sending one message, by SMTP or by a webhook.
///
/// Texts are for operators: one line of visible ASCII, at most 500 bytes, without passwords, addresses
/// and codes.
package enum DeliveryResult: Hashable, Sendable {
  /// The server has accepted the message (RFC 5321 §4.2.5).
  case delivered(reply: String)
  /// The server asks to try again later: 4yz (§4.2.1).
  case temporary(code: Int, text: String)
  /// The receiver asks to wait with all messages for so many seconds.
  case busy(seconds: Int, text: String)
  /// The server refuses the sender, the recipient or the message: 5yz. Trying again is useless.
  case permanent(code: Int, text: String)
  /// No connection, or it broke before the message was sent. Try again later.
  case unreachable(String)
  /// No message can be sent before an operator changes something: the user or the password is
  /// refused, the certificate is wrong, or STARTTLS is missing.
  case misconfigured(String)
  /// The connection broke after the whole message was sent and before the reply. It is unknown whether
  /// the server accepted the message (RFC 5321 §4.2.5; RFC 1047). If it is sent again, the recipient
  /// may get it twice.
  case unknown(String)
}
