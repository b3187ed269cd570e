/// The result of sending one message, by SMTP or by a webhook.
///
/// Texts are for operators: one line of visible ASCII, at most 500 bytes. They contain no password.
/// Addresses and codes are removed from them: see `ReplyText`.
package enum DeliveryResult: Hashable, Sendable {
  /// The server has accepted the message (RFC 5321 §4.2.5).
  case delivered(reply: String)
  /// The server asks to try again later: 4yz (§4.2.1), or a webhook's status such as 500.
  case temporary(code: Int, text: String)
  /// The receiver asks to wait with all messages for so many seconds.
  case busy(seconds: Int, text: String)
  /// The server refuses the sender, the recipient or the message: 5yz, or a webhook's status such as
  /// 422. Trying again is useless.
  case permanent(code: Int, text: String)
  /// There was no connection, it broke before the message was sent, or too many messages wait. Try
  /// again later.
  case unreachable(String)
  /// No message can be sent before an operator changes something: the user or the password is
  /// refused, the certificate is wrong, or STARTTLS is missing.
  case misconfigured(String)
  /// The connection broke after the whole message was sent and before the reply. It is unknown whether
  /// the server accepted the message (RFC 5321 §4.2.5; RFC 1047). If it is sent again, the recipient
  /// may get it twice.
  case unknown(String)
}
