import GatehouseServer
import Testing

@Suite struct WebhookAddressTests {
  @Test(arguments: [
    ("https://sms.example.com/codes?x=1", "https://sms.example.com/codes?x=1"),
    ("HTTPS://SMS.Example.com", "https://sms.example.com/"),
    ("http://127.0.0.1:9000/", "http://127.0.0.1:9000/"),
    ("http://localhost:9000/", "http://localhost:9000/"), ("http://[::1]/", "http://[::1]/"),
  ]) func `https is accepted, and http to this machine`(_ text: String, _ checked: String) throws {
    #expect(try WebhookAddress.checked(text, allowsLoopback: true) == checked)
  }

  @Test(
    arguments: [
      ("http://sms.example.com/", .insecure), ("http://10.0.0.1/", .insecure),
      ("http://localhost.example.com/", .insecure), ("ftp://localhost/", .form), ("", .form),
      ("sms.example.com", .form), ("https://user:pass@sms.example.com/", .form),
      ("https://sms.example.com/#f", .form),
    ] as [(String, WebhookAddress.Fault)])
  func `any other address is rejected`(_ text: String, _ fault: WebhookAddress.Fault) {
    #expect(throws: fault) { try WebhookAddress.checked(text, allowsLoopback: true) }
  }

  @Test(arguments: ["https://localhost/", "http://127.0.0.1:9000/", "https://[::1]/"])
  func `where this machine isn't allowed, its addresses are rejected`(_ text: String) {
    #expect(throws: WebhookAddress.Fault.loopback) {
      try WebhookAddress.checked(text, allowsLoopback: false)
    }
    #expect(throws: WebhookAddress.Fault.insecure) {
      try WebhookAddress.checked("http://example.com/", allowsLoopback: false)
    }
  }
}
