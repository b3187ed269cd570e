import CLibcrypto

/// An error of libcrypto. Holds its error number, and nothing of the key or the message.
public struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Step: String, Sendable, Hashable {
    case readingKey = "reading the private key"
    case signing = "signing"
  }

  public let step: Step

  /// The number that `openssl errstr` explains.
  public let number: UInt

  public var description: String {
    "libcrypto failed in \(step.rawValue) (openssl errstr \(String(number, radix: 16)))"
  }

  /// The latest error of this thread. Empties the queue, so that no error is reported twice.
  static func last(during step: Step) -> OpenSSLError {
    let number = ERR_peek_last_error()
    ERR_clear_error()
    return OpenSSLError(step: step, number: UInt(number))
  }
}
