import CLibcrypto

/// An error of libcrypto. Holds its error number, and nothing of the key or the message.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Step: String, Sendable, Hashable {
    case readingKey = "reading the private key"
    case signing = "signing"
  }

  package let step: Step

  /// The number that `openssl errstr` explains.
  package let number: UInt

  package var description: String {
    "libcrypto failed in \(step.rawValue) (openssl errstr \(String(number, radix: 16)))"
  }

  /// The latest error of this thread. Empties the queue, so that no error is reported twice.
  static func last(during step: Step) -> OpenSSLError {
    let number = ERR_peek_last_error()
    ERR_clear_error()
    return OpenSSLError(step: step, number: UInt(number))
  }
}
