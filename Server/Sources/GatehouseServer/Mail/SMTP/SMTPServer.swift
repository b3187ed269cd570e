package import GatehouseProtocol

/// The server that accepts the mail, and how to reach it.
package struct SMTPServer: Sendable {
  /// A name or an address; an IPv6 address without brackets.
  package let host: String
  package let port: Int
  package private(set) var security: Security
  package var credentials: Credentials?
  /// The file with the certificates that are trusted (PEM). nil: those of the system.
  package var certificateAuthorityFile: String?
  /// The name in `EHLO`: the public host of this server (RFC 5321 §4.1.4).
  package var greetingName = "localhost"
  package var timeouts = Timeouts()

  package enum Security: Hashable, Sendable {
    /// TLS from the first byte (RFC 8314 §3.3).
    case tls
    /// STARTTLS (RFC 3207), without which nothing is sent.
    case startTLS
    /// No TLS. Only for loopback: the messages contain links that sign users in.
    case none
  }

  package struct Credentials: Sendable {
    package let user: String
    /// A password, or an access token for ``Mechanism/xoauth2``.
    package let secret: Secret<String>
    package let mechanism: Mechanism

    package init(user: String, secret: Secret<String>, mechanism: Mechanism = .plain) {
      self.user = user
      self.secret = secret
      self.mechanism = mechanism
    }
  }

  package enum Mechanism: String, Hashable, Sendable, CaseIterable {
    case plain = "PLAIN"
    case login = "LOGIN"
    case xoauth2 = "XOAUTH2"
  }

  /// In seconds.
  package struct Timeouts: Sendable {
    /// For the connection with its TLS.
    package var connect = 15
    /// For everything, from the look-up of the host to the reply to the message. A short limit causes
    /// duplicates: see ``DeliveryResult/unknown(_:)``.
    package var total = 120

    package init() {}
  }

  /// Reads `smtps://host[:465]` or `smtp://host[:587]`. The URL has neither user nor path.
  ///
  /// With `smtp`, STARTTLS is required unless the host is loopback.
  ///
  /// - Throws: ``SMTPServerFault``.
  package init(url: String) throws(SMTPServerFault) {
    let scheme = url.prefix { $0 != ":" }.asciiLowercased
    guard scheme == "smtp" || scheme == "smtps" else { throw .scheme }
    let rest = url.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { throw .form }
    let authority = rest.dropFirst(3)
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInURL }
    let (host, port) = try Self.hostAndPort(authority)
    self.host = host
    self.port = port ?? (scheme == "smtps" ? 465 : 587)
    security = scheme == "smtps" ? .tls : LoopbackName.isLoopback(host) ? .none : .startTLS
  }

  /// Requires STARTTLS on loopback too.
  package mutating func requireStartTLS() { if security == .none { security = .startTLS } }

  private static func hostAndPort(
    _ authority: Substring
  ) throws(SMTPServerFault) -> (host: String, port: Int?) {
    guard let written = LoopbackName.host(ofAuthority: authority) else { throw .form }
    let tail = authority.utf8.dropFirst(written.utf8.count)
    var port: Int?
    if let colon = tail.first {
      let digits = String(decoding: tail.dropFirst(), as: UTF8.self)
      guard colon == UInt8(ascii: ":"), let number = UInt16(digits), number > 0,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { throw .port }
      port = Int(number)
    }
    let isIPv6 = written.hasPrefix("[")
    let host = isIPv6 ? String(written.dropFirst().dropLast()) : written
    guard isIPv6 ? IPAddress(host) != nil : Mailbox.isDomain(Array(host.utf8)) else { throw .form }
    return (host, port)
  }
}

/// Why a URL isn't the address of an SMTP server.
package enum SMTPServerFault: Error, Hashable, Sendable, CustomStringConvertible {
  case scheme, form, port, userInURL

  package var description: String {
    switch self {
    case .scheme: "the URL must begin with smtps:// or smtp://"
    case .form: "the URL must have a host and nothing after it, as in smtps://mail.example.com:465"
    case .port: "the port must be a number from 1 to 65535"
    case .userInURL: "the URL must not have a user or a password: they have settings of their own"
    }
  }
}
