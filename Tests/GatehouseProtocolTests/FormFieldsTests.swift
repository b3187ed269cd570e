import GatehouseProtocol
import Testing

@Suite struct FormFieldsTests {
  @Test(arguments: [
    ("", []), ("&", []), ("&&a=1&&", ["a:1"]), ("a=1&b=2", ["a:1", "b:2"]), ("a", ["a:"]),
    ("a=", ["a:"]), ("=1", [":1"]), ("=", [":"]), ("a==1=", ["a:=1="]), ("a&b=1", ["a:", "b:1"]),
    ("a%3D=%26&b=x+y", ["a=:&", "b:x y"]), ("a=1&a=2", ["a:1", "a:2"]),
  ])
  func `pairs are read between ampersands`(text: String, expected: [String]) {
    #expect(FormFields(text).fields.map { "\($0.name):\($0.value)" } == expected)
  }

  @Test func `the first field of a name is used`() {
    #expect(FormFields("a=1&a=2")["a"] == "1")
  }

  @Test func `fields beyond the limit are ignored`() {
    let limit = FormFields.maximumFields
    let text = (0...limit).map { "f\($0)=\($0)" }.joined(separator: "&")
    #expect(FormFields(text).fields.count == limit)
    #expect(FormFields(text)["f\(limit - 1)"] == "\(limit - 1)")
    #expect(FormFields(text)["f\(limit)"] == nil)
  }
}
