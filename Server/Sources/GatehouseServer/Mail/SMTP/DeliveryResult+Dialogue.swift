/// Why libcurl ended a dialogue before it was complete.
struct TransferFailure: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The name was not resolved, the connection failed, or a time limit passed.
    case connection
    case certificate
    /// The server doesn't offer STARTTLS.
    case startTLSMissing
    /// The user or the password was refused, or the server doesn't offer the mechanism.
    case credentials
    /// A setting that libcurl refuses.
    case settings
  }

  let kind: Kind
  /// One line, see ``ReplyText``.
  let reason: String
}

extension DeliveryResult {
  /// Derives the result for a message from the dialogue.
  ///
  /// - Parameter failure: nil if libcurl completed the transfer.
  init(of dialogue: SMTPDialogue, failure: TransferFailure?) {
    let reply = dialogue.reply
    let isTaken = reply.map { $0.stage == .end && (200..<300).contains($0.code) } ?? false
    guard let failure, !isTaken else {
      self = .delivered(reply: reply?.text ?? "")
      return
    }
    if dialogue.lacksSMTPUTF8 {
      // RFC 6531 §3.2 names this code.
      self = .permanent(
        code: 550,
        text: "the address has letters beyond ASCII, and the mail server does not offer SMTPUTF8")
      return
    }
    // A reply of an earlier stage is not the reason.
    if let reply, reply.stage == dialogue.stage, (400..<600).contains(reply.code) {
      self.init(refusal: reply)
      return
    }
    self =
      switch failure.kind {
      case .connection where dialogue.stage == .end: .unknown(failure.reason)
      case .connection: .unreachable(failure.reason)
      case .certificate:
        .misconfigured("the server's certificate is not valid for its name: \(failure.reason)")
      case .startTLSMissing: .misconfigured("the server does not offer STARTTLS")
      case .credentials:
        .misconfigured("the server does not offer the configured mechanism of authentication")
      case .settings: .misconfigured(failure.reason)
      }
  }

  private init(refusal reply: SMTPDialogue.Reply) {
    let (code, text) = (reply.code, reply.text)
    guard code >= 500 else {
      self = .temporary(code: code, text: text)
      return
    }
    switch reply.stage {
    case .greeting, .hello: self = .misconfigured("the server refuses this host: \(text)")
    case .startTLS: self = .misconfigured("the server refuses STARTTLS: \(text)")
    case .authentication:
      self = .misconfigured("the server refuses the user name or the password: \(text)")
    case .sender, .recipient, .data, .message, .end:
      // RFC 4954 §6: authentication required, too weak, or refused; RFC 3207 §4: STARTTLS first.
      self =
        [530, 534, 535, 538].contains(code)
        ? .misconfigured("the server requires authentication: \(text)")
        : .permanent(code: code, text: text)
    }
  }
}
