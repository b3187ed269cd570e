import GatehouseTokens
import Testing

@Suite struct CustomClaimsTests {
  @Test func `an object keeps its original text`() throws {
    let text = "{ \"role\": \"admin\",\n \"level\": 1.50 }"
    let claims = try CustomClaims(jsonText: text)
    #expect(claims.jsonText == text)
    #expect(claims.contains("role"))
    #expect(!claims.isEmpty)
    #expect(try CustomClaims(jsonText: "{}").isEmpty)
  }

  @Test(arguments: ["", "[]", "null", "\"a\"", "{", "{\"a\":1,\"a\":2}", "{\"a\":NaN}"])
  func `a text that isn't a JSON object is invalid`(text: String) {
    #expect(throws: CustomClaimsError.invalid) { try CustomClaims(jsonText: text) }
  }

  @Test(arguments: CustomClaims.reservedNames)
  func `a reserved name is forbidden`(name: String) throws {
    #expect(throws: CustomClaimsError.forbidden(name)) {
      try CustomClaims(jsonText: "{\"a\":1,\"\(name)\":1}")
    }
    _ = try CustomClaims(jsonText: "{\"\(name)_\":1}")
  }

  @Test func `more than a thousand characters are refused`() throws {
    let fits = "{\"a\":\"" + String(repeating: "\u{1F600}", count: 496) + "\"}"
    #expect(fits.utf16.count == 1000)
    _ = try CustomClaims(jsonText: fits)
    #expect(throws: CustomClaimsError.tooLarge) { try CustomClaims(jsonText: fits + " ") }
  }
}
