import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct PhoneNumberTests {
  @Test(arguments: [
    ("+15555550100", "+15555550100"), ("+1 (555) 555-0100", "+15555550100"),
    ("+1.555.555.0100", "+15555550100"), ("+84 912 345 678", "+84912345678"),
    ("+5491123456789", "+5491123456789"), ("+491701234567", "+491701234567"),
  ])
  func `a number has one form, however it is written`(_ text: String, _ form: String) {
    #expect(PhoneNumber(text)?.text == form)
  }

  @Test(arguments: [
    ("+310612345678", "+31612345678"), ("+31 (0)6 12345678", "+31612345678"),
    ("+44 (0)20 7946 0958", "+442079460958"), ("+84 0912 345 678", "+84912345678"),
    ("+49 (0) 170 1234567", "+491701234567"), ("+81 090 1234 5678", "+819012345678"),
    ("+55 011 91234-5678", "+5511912345678"), ("+36 06 20 123 4567", "+36201234567"),
    ("+353 (0)85 012 3456", "+353850123456"), ("+375 0 29 491 1911", "+375294911911"),
  ])
  func `a zero that is dialled only inside the country is removed`(_ text: String, _ form: String) {
    #expect(PhoneNumber(text)?.text == form)
    #expect(PhoneNumber(form)?.text == form)
  }

  @Test(arguments: [
    ("+39 06 6982", "+39066982"), ("+39 (0)6 6982", "+39066982"),
    ("+378 0549 886377", "+3780549886377"),
    ("+225 01 23 45 67 89", "+2250123456789"), ("+229 01 95 12 34 56", "+2290195123456"),
    ("+241 06 03 12 34", "+24106031234"), ("+242 06 123 4567", "+242061234567"),
    ("+226 01 12 34 56", "+22601123456"), ("+992 00 123 4567", "+992001234567"),
  ])
  func `a zero that is part of the number stays`(_ text: String, _ form: String) {
    #expect(PhoneNumber(text)?.text == form)
  }

  @Test(arguments: [
    // The keys of letters are the number of another person.
    "+1error", "+1555555ABCD", "+1 800 BUY NEXT", "+1555555010A", "+1555555010\u{E9}",
    "+4930123456 ext. 7", "+4930123456;7", "+4930123456,7",
    // Digits of another script, and spaces that aren't ASCII.
    "+1555555010\u{660}", "+1\u{A0}5555550100",
    // Two zeros, a zero in a country that dials none, and half of Hungary's prefix.
    "+31 00 612345678", "+31 (0)(0)612345678", "+34 0612345678", "+45 0 20123456",
    "+1 0555 555 0100",
    "+7 0 912 345 67 89", "+36 0 20 123 4567", "+999 0123456",
  ])
  func `a text that could be the number of another person by mistake is refused`(_ text: String) {
    #expect(PhoneNumber(text) == nil)
  }

  @Test(arguments: [
    ("+15555550100", ["+1555555010", "+155555501000"]),
    // 8 is dialled only inside the country.
    ("+79123456789", ["+789123456789", "+7912345678"]),
    ("+33612345678", ["+3361234567", "+336123456789", "+3306123456789"]),
    ("+37061234567", ["+370861234567"]), ("+4520123456", ["+45201234567"]),
    ("+819012345678", ["+8190123456789"]), ("+5511912345678", ["+551511912345678"]),
    ("+24106031234", ["+241060312345"]),
  ])
  func `the numbering plan fixes the number of digits`(_ good: String, _ others: [String]) {
    #expect(PhoneNumber(good)?.text == good)
    for text in others { #expect(PhoneNumber(text) == nil, "\(text)") }
  }

  @Test(arguments: [
    "15555550100", "+05555550100", "+155555", "+4955555501001234", "+1555555abc_",
    "++15555550100", "+", "+1", "",
  ])
  func `another text is no number`(_ text: String) {
    #expect(PhoneNumber(text) == nil)
  }
}
