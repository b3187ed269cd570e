import CCurl

/// What libcurl's callbacks read and write during one transfer.
@unsafe struct SMTPTransfer {
  var remaining: Slice<UnsafeRawBufferPointer>
  var dialogue: SMTPDialogue

  init(remaining: Slice<UnsafeRawBufferPointer>, needsSMTPUTF8: Bool) {
    unsafe self.remaining = remaining
    unsafe dialogue = SMTPDialogue(needsSMTPUTF8: needsSMTPUTF8)
  }

  /// CURLOPT_READFUNCTION: the next bytes of the message, 0 at its end. libcurl adds the dots that
  /// RFC 5321 §4.5.2 asks for, and the last line.
  static let read:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { buffer, size, count, state in
      guard let buffer = unsafe buffer,
        let transfer = unsafe state?.assumingMemoryBound(to: SMTPTransfer.self)
      else { return 0 }
      let next = unsafe transfer.pointee.remaining.prefix(size * count)
      unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyBytes(from: next)
      unsafe transfer.pointee.remaining = transfer.pointee.remaining.dropFirst(next.count)
      let isEnd = unsafe transfer.pointee.remaining.isEmpty
      unsafe transfer.pointee.dialogue.passedText(toItsEnd: isEnd)
      return unsafe next.count
    }

  /// CURLOPT_HEADERFUNCTION: one line of a reply. A result other than its length ends the transfer.
  static let received:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { line, size, count, state in
      guard let transfer = unsafe state?.assumingMemoryBound(to: SMTPTransfer.self) else {
        return 0
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
      unsafe transfer.pointee.dialogue.received(bytes)
      return unsafe transfer.pointee.dialogue.lacksSMTPUTF8 ? 0 : size * count
    }

  /// CURLOPT_DEBUGFUNCTION: libcurl says here, and nowhere else, which command it sends.
  static let noted:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int,
      UnsafeMutableRawPointer?
    ) -> Int32 = { handle, kind, bytes, count, state in
      guard kind == CURLINFO_HEADER_OUT,
        let transfer = unsafe state?.assumingMemoryBound(to: SMTPTransfer.self)
      else { return 0 }
      unsafe transfer.pointee.dialogue.sent(UnsafeRawBufferPointer(start: bytes, count: count))
      if unsafe transfer.pointee.dialogue.hasQuit {
        // A server that doesn't reply to the message doesn't reply to QUIT either. libcurl doesn't
        // apply the limit of the whole transfer there, and would wait as long again.
        unsafe _ = gatehouse_curl_set_number(
          handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, goodbyeSeconds)
      }
      return 0
    }

  private static let goodbyeSeconds = 2
}
