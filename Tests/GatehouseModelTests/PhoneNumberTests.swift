import GatehouseModel
import Testing

@Suite struct PhoneNumberTests {
  @Test(arguments: [
    ("+15555550100", "+15555550100"), ("+1 (555) 555-0100", "+15555550100"),
    ("+1.555.555.0100", "+15555550100"), ("+1555555ABCD", "+15555552223"),
    ("+1 555 555 wxyz", "+15555559999"), ("+1-555-555-pQrS", "+15555557777"),
    ("+1555GHIJKLM", "+15554445556"), ("+1555NOTUV00", "+15556688800"),
    ("+1 800 BUY NEXT", "+18002896398"),
  ])
  func `a number has one form, with digits for letters`(_ text: String, _ form: String) {
    #expect(PhoneNumber(text)?.text == form)
  }

  @Test(arguments: [
    "15555550100", "+05555550100", "+155555", "+1555555010012345", "+1555555010A", "+155555501AB",
    "+1555555010\u{E9}\u{E9}\u{E9}", "+1555555abc_", "++15555550100", "",
    "+4930123456 ext. 7", "+4930123456 EXTN7", "+4930123456 Extension 7",
  ])
  func `another text is no number`(_ text: String) {
    #expect(PhoneNumber(text) == nil)
  }
}
