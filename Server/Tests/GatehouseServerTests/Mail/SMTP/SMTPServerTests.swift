import GatehouseServer
import Testing

@Suite struct SMTPServerTests {
  @Test(arguments: [
    ("smtps://mail.example.com", "mail.example.com", 465, SMTPServer.Security.tls),
    ("smtps://mail.example.com:4650", "mail.example.com", 4650, .tls),
    ("smtp://mail.example.com", "mail.example.com", 587, .startTLS),
    ("SMTP://mail.example.com:25", "mail.example.com", 25, .startTLS),
    ("smtp://localhost:2525", "localhost", 2525, .none),
    ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, .none),
    ("smtp://[::1]:2525", "::1", 2525, .none), ("smtps://localhost", "localhost", 465, .tls),
    ("smtp://[2001:db8::1]", "2001:db8::1", 587, .startTLS),
    ("smtp://192.0.2.1", "192.0.2.1", 587, .startTLS),
  ])
  func `a URL says host, port and security`(
    url: String, host: String, port: Int, security: SMTPServer.Security
  ) throws {
    let server = try SMTPServer(url: url)
    #expect((server.host, server.port) == (host, port))
    #expect(server.security == security)
  }

  @Test(arguments: [
    ("https://mail.example.com", SMTPServerFault.scheme), ("mail.example.com:25", .scheme),
    ("smtp:mail.example.com", .form), ("smtp://", .form), ("smtp://mail.example.com/", .form),
    ("smtp://mail.example.com/x", .form), ("smtp://mail example.com", .form),
    ("smtp://mail.example.com\r\n", .form), ("smtp://[::g]", .form),
    ("smtp://user@mail.example.com", .userInURL), ("smtp://mail.example.com:", .port),
    ("smtp://mail.example.com:0", .port), ("smtp://mail.example.com:65536", .port),
    ("smtp://mail.example.com:+25", .port), ("smtp://mail.example.com:25?x", .port),
  ])
  func `another URL is refused`(url: String, fault: SMTPServerFault) {
    #expect(throws: fault) { try SMTPServer(url: url) }
  }
}
