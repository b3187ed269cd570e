import CCurl
import Foundation
import GatehouseProtocol

/// A connection to a server, for one message after the other, on libcurl's easy interface.
///
/// Only one thread may use it at a time. `send(_:)` blocks until the server has replied, at most for
/// `SMTPServer.Timeouts.total` seconds, and for as long again if a kept connection was closed.
@safe struct SMTPConnection: ~Copyable {
  private let server: SMTPServer
  /// nil if libcurl could not be initialised.
  private let handle: UnsafeMutableRawPointer?

  /// Once in a process (curl.se/libcurl/c/curl_global_init.html).
  ///
  /// Writing to a connection that the server has closed would end the process with SIGPIPE. libcurl
  /// can't prevent that when it is used on several threads (CURLOPT_NOSIGNAL).
  private static let isInitialised: Bool = {
    _ = signal(SIGPIPE, SIG_IGN)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()

  init(to server: SMTPServer) {
    self.server = server
    unsafe handle = Self.isInitialised ? curl_easy_init() : nil
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  func send(_ mail: ComposedMail) -> DeliveryResult {
    guard unsafe handle != nil else { return .misconfigured("libcurl could not be initialised") }
    let (result, isReused) = transfer(mail, onNewConnection: false)
    guard isReused, result.mayBeOfAClosedConnection else { return result }
    return transfer(mail, onNewConnection: true).result
  }

  /// Connects and authenticates as for a message, but sends none.
  ///
  /// - Returns: ``DeliveryResult/delivered(reply:)`` if a message could be sent.
  func check() -> DeliveryResult {
    guard unsafe handle != nil else { return .misconfigured("libcurl could not be initialised") }
    return unsafe perform([], needsSMTPUTF8: false) { options, state in
      unsafe options.setNoOperation(state: state)
    }
    .result
  }

  private func transfer(
    _ mail: ComposedMail, onNewConnection: Bool
  ) -> (result: DeliveryResult, isReused: Bool) {
    unsafe perform(mail.bytes.reveal(), needsSMTPUTF8: mail.needsSMTPUTF8) { options, state in
      unsafe options.set(mail, onNewConnection: onNewConnection, state: state)
    }
  }

  private func perform(
    _ bytes: [UInt8], needsSMTPUTF8: Bool, set: (inout SMTPOptions, UnsafeMutableRawPointer) -> Void
  ) -> (result: DeliveryResult, isReused: Bool) {
    unsafe bytes.withUnsafeBytes { text in
      var transfer = unsafe SMTPTransfer(remaining: text[...], needsSMTPUTF8: needsSMTPUTF8)
      return unsafe withUnsafeMutablePointer(to: &transfer) { state in
        var options = unsafe SMTPOptions(handle: handle)
        defer { unsafe options.end() }
        unsafe options.set(server)
        unsafe set(&options, UnsafeMutableRawPointer(state))
        guard unsafe options.areAccepted else {
          return (.misconfigured("libcurl does not support SMTP with these settings"), false)
        }
        let code = unsafe curl_easy_perform(handle)
        var connects = 0
        _ = unsafe gatehouse_curl_get_number(handle, CURLINFO_NUM_CONNECTS, &connects)
        let result = unsafe DeliveryResult(
          of: state.pointee.dialogue, failure: TransferFailure(code, message: options.message))
        return (result, connects == 0)
      }
    }
  }
}

extension DeliveryResult {
  /// Whether a server that closes idle connections may be the reason (RFC 5321 §4.5.3.2.7, and 421 of
  /// §3.8). Nothing was delivered then.
  fileprivate var mayBeOfAClosedConnection: Bool {
    switch self {
    case .unreachable, .temporary(code: 421, text: _): true
    default: false
    }
  }
}

extension TransferFailure {
  /// nil if the transfer succeeded.
  fileprivate init?(_ code: CURLcode, message: String) {
    let kind: Kind
    switch code {
    case CURLE_OK: return nil
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: kind = .certificate
    case CURLE_USE_SSL_FAILED: kind = .startTLSMissing
    case CURLE_LOGIN_DENIED: kind = .credentials
    case CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL,
      CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT:
      kind = .settings
    default: kind = .connection
    }
    let text = message.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : message
    self.init(kind: kind, reason: ReplyText.line(text.utf8))
  }
}
