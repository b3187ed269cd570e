import CCurl
import GatehouseProtocol

/// The options of libcurl for one transfer. Values that libcurl doesn't copy are kept until `end()`.
@unsafe struct SMTPOptions {
  private let handle: UnsafeMutableRawPointer?
  private var recipients: UnsafeMutablePointer<curl_slist>?
  private let errors = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// Whether libcurl knows every option and accepts its value.
  private(set) var areAccepted = true

  init(handle: UnsafeMutableRawPointer?) {
    unsafe self.handle = handle
    unsafe errors.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    // This keeps the connection open.
    unsafe curl_easy_reset(handle)
  }

  /// libcurl's error message; empty if there is none.
  var message: String { unsafe String(cString: errors) }

  mutating func end() {
    // Afterwards no option points to what is freed here.
    unsafe curl_easy_reset(handle)
    unsafe curl_slist_free_all(recipients)
    unsafe errors.deallocate()
  }

  mutating func set(_ server: SMTPServer) {
    let host = server.host.utf8.contains(UInt8(ascii: ":")) ? "[\(server.host)]" : server.host
    let scheme = server.security == .tls ? "smtps" : "smtp"
    // The path is the name in EHLO.
    unsafe text(CURLOPT_URL, "\(scheme)://\(host):\(server.port)/\(server.greetingName)")
    unsafe text(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    unsafe text(CURLOPT_REDIR_PROTOCOLS_STR, "smtp,smtps")
    // Otherwise variables such as ALL_PROXY would choose one.
    unsafe text(CURLOPT_PROXY, "")
    unsafe number(CURLOPT_NOSIGNAL, 1)
    unsafe number(CURLOPT_CONNECTTIMEOUT_MS, server.timeouts.connect * 1000)
    unsafe number(CURLOPT_TIMEOUT_MS, server.timeouts.total * 1000)
    // Otherwise 120 seconds, whatever the limit of the transfer is.
    unsafe number(CURLOPT_SERVER_RESPONSE_TIMEOUT, server.timeouts.total)

    unsafe number(CURLOPT_SSL_VERIFYPEER, 1)
    unsafe number(CURLOPT_SSL_VERIFYHOST, 2)
    unsafe number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    let demand = server.security == .startTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE
    unsafe number(CURLOPT_USE_SSL, Int(demand.rawValue))
    if let file = server.certificateAuthorityFile { unsafe text(CURLOPT_CAINFO, file) }
    if let credentials = server.credentials { unsafe set(credentials) }
  }

  private mutating func set(_ credentials: SMTPServer.Credentials) {
    unsafe text(CURLOPT_USERNAME, credentials.user)
    unsafe text(CURLOPT_LOGIN_OPTIONS, "AUTH=\(credentials.mechanism.rawValue)")
    let secret = credentials.secret.reveal()
    switch credentials.mechanism {
    case .plain, .login: unsafe text(CURLOPT_PASSWORD, secret)
    case .xoauth2: unsafe text(CURLOPT_XOAUTH2_BEARER, secret)
    }
  }

  /// - Parameter state: An `SMTPTransfer`.
  mutating func set(_ mail: ComposedMail, onNewConnection: Bool, state: UnsafeMutableRawPointer) {
    unsafe text(CURLOPT_MAIL_FROM, "<\(mail.sender)>")
    unsafe recipients = curl_slist_append(nil, "<\(mail.recipient)>")
    if unsafe recipients == nil { unsafe areAccepted = false }
    unsafe pointer(CURLOPT_MAIL_RCPT, UnsafeMutableRawPointer(recipients))
    unsafe number(CURLOPT_UPLOAD, 1)
    unsafe number(CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0)
    // libcurl sends the size before the text, if the server supports that (RFC 1870).
    unsafe number(CURLOPT_INFILESIZE, mail.bytes.reveal().count)
    unsafe set(state: state)
  }

  /// Greets the server, authenticates and does nothing (NOOP, RFC 5321 §4.1.1.9).
  ///
  /// - Parameter state: An `SMTPTransfer`.
  mutating func setNoOperation(state: UnsafeMutableRawPointer) {
    unsafe text(CURLOPT_CUSTOMREQUEST, "NOOP")
    unsafe number(CURLOPT_NOBODY, 1)
    unsafe number(CURLOPT_FRESH_CONNECT, 1)
    unsafe set(state: state)
  }

  private mutating func set(state: UnsafeMutableRawPointer) {
    unsafe check(gatehouse_curl_set_transfer(handle, CURLOPT_READFUNCTION, SMTPTransfer.read))
    unsafe pointer(CURLOPT_READDATA, state)
    unsafe check(gatehouse_curl_set_transfer(handle, CURLOPT_HEADERFUNCTION, SMTPTransfer.received))
    unsafe pointer(CURLOPT_HEADERDATA, state)
    unsafe check(gatehouse_curl_set_debug(handle, SMTPTransfer.noted))
    unsafe pointer(CURLOPT_DEBUGDATA, state)
    unsafe number(CURLOPT_VERBOSE, 1)
    unsafe pointer(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errors))
  }

  private mutating func text(_ option: CURLoption, _ value: String) {
    unsafe check(gatehouse_curl_set_text(handle, option, value))
  }

  private mutating func number(_ option: CURLoption, _ value: Int) {
    unsafe check(gatehouse_curl_set_number(handle, option, value))
  }

  private mutating func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    unsafe check(gatehouse_curl_set_pointer(handle, option, value))
  }

  private mutating func check(_ code: CURLcode) {
    if code != CURLE_OK { unsafe areAccepted = false }
  }
}
