import GatehouseServer
import Testing

@Suite struct NotificationFormTests {
  @Test(arguments: [NotificationForm.payload, .token])
  func `a forwarded notification has the form in which it came`(_ form: NotificationForm) {
    let content = form.content("a.b.c")
    #expect(form.jws(inBody: content.bytes.reveal()) == "a.b.c")
  }

  @Test func `the bodies are those of the providers`() {
    #expect(
      String(decoding: NotificationForm.payload.content("a.b.c").bytes.reveal(), as: UTF8.self)
        == #"{"payload":"a.b.c"}"#)
    #expect(
      String(decoding: NotificationForm.token.content("a.b.c").bytes.reveal(), as: UTF8.self)
        == "a.b.c")
    #expect(NotificationForm.token.jws(inBody: Array(" \r\na.b.c\n".utf8)) == "a.b.c")
  }

  @Test(arguments: ["", "a.b.c", "{}", #"{"payload":1}"#])
  func `a body without a payload is refused`(_ body: String) {
    #expect(NotificationForm.payload.jws(inBody: Array(body.utf8)) == nil)
  }

  @Test func `a body that isn't UTF-8 is refused`() {
    #expect(NotificationForm.token.jws(inBody: [0x61, 0xFF]) == nil)
  }
}
