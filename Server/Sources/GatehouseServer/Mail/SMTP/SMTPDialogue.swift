/// The stage of a dialogue with a server, derived from the commands and replies.
///
/// Pure: libcurl reports both, and ``DeliveryResult/init(of:failure:)`` decides what they mean. Only the
/// verb of a command is kept: an argument may be a password.
struct SMTPDialogue: Sendable {
  enum Stage: Hashable, Sendable {
    /// Connected, or about to; the server's greeting is due.
    case greeting
    case hello, startTLS, authentication, sender, recipient, data
    /// The text of the message was passed on, or a part of it.
    case message
    /// The text was passed on to its end; the reply is due.
    case end
  }

  struct Reply: Hashable, Sendable {
    let code: Int
    /// See ``ReplyText``.
    let text: String
    let stage: Stage
  }

  private(set) var stage = Stage.greeting
  /// The last complete reply.
  private(set) var reply: Reply?
  private var lines: [UInt8] = []
  /// Whether the message may be sent only to a server with SMTPUTF8.
  private let needsSMTPUTF8: Bool
  /// The client didn't name SMTPUTF8 with the sender, because the server doesn't offer it. libcurl would
  /// continue, which RFC 6531 §3.2 forbids.
  private(set) var lacksSMTPUTF8 = false
  /// Whether the client sent QUIT. Later replies don't concern the message.
  private(set) var hasQuit = false

  init(needsSMTPUTF8: Bool = false) { self.needsSMTPUTF8 = needsSMTPUTF8 }

  /// - Parameter line: As the client sent it.
  mutating func sent(_ line: some Collection<UInt8>) {
    let verb = String(decoding: line.prefix { $0 > 0x20 }.prefix(16), as: UTF8.self)
    switch verb {
    case "EHLO", "HELO": stage = .hello
    case "STARTTLS": stage = .startTLS
    case "AUTH": stage = .authentication
    case "MAIL":
      stage = .sender
      let parameters = line.split { $0 <= 0x20 }.dropFirst(2)
      lacksSMTPUTF8 = needsSMTPUTF8 && !parameters.contains { $0.elementsEqual("SMTPUTF8".utf8) }
    case "RCPT": stage = .recipient
    case "DATA": stage = .data
    case "QUIT": hasQuit = true
    // The next line of an authentication.
    default: break
    }
  }

  mutating func passedText(toItsEnd isEnd: Bool) { stage = isEnd ? .end : .message }

  /// - Parameter line: One line of a reply (RFC 5321 §4.2.1): `250-` is followed by more.
  mutating func received(_ line: some Collection<UInt8>) {
    guard !hasQuit else { return }
    let bytes = Array(line.prefix(ReplyText.maximumBytes))
    if lines.count < 4 * ReplyText.maximumBytes { lines += bytes + [0x20] }
    let digits = bytes.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      bytes.count == 3 || bytes[3] != UInt8(ascii: "-")
    else { return }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    reply = Reply(code: code, text: ReplyText.line(lines), stage: stage)
    lines = []
  }
}
