import GatehouseProtocol
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0, 0), ("-1", -1, -1), ("9223372036854775807", .max, 0x1p63),
      ("-9223372036854775808", .min, -0x1p63), ("9223372036854775808", nil, 0x1p63),
      ("18446744073709551616", nil, 0x1p64), ("-0", nil, -0.0), ("1.5", nil, 1.5), ("1.0", nil, 1),
      ("1e3", nil, 1000), ("1E+2", nil, 100), ("1e30", nil, 1e30), ("25e-1", nil, 2.5),
      ("1e400", nil, nil), ("-1e400", nil, nil), ("1e-400", nil, 0),
    ] as [(String, Int64?, Double?)])
  func `a number keeps its text`(text: String, integer: Int64?, double: Double?) throws {
    let number = try #require(try JSONValue(parsing: text).number)
    #expect(number.text == text)
    #expect(number.int64 == integer)
    #expect(number.double == double)
    #expect(JSONValue.number(number).text() == text)
  }

  @Test func `numbers are equal by their text`() throws {
    #expect(try JSONValue(parsing: "1") == 1)
    #expect(try JSONValue(parsing: "1.0") != 1)
  }

  @Test(arguments: [
    (0, "0"), (-0.0, "-0.0"), (1.5, "1.5"), (3, "3"), (1e300, "1e+300"),
    (-0x1p63, "-9.223372036854776e+18"), (0x1p63, "9.223372036854776e+18"),
    (-0x1p53, "-9007199254740992.0"),
  ])
  func `a double is the same after writing and reading`(value: Double, text: String) throws {
    let number = try #require(JSONNumber(value))
    #expect(number.text == text)
    #expect(try JSONValue(parsing: number.text).double == value)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a value that isn't finite can't be a number`(value: Double) {
    #expect(JSONNumber(value) == nil)
  }
}
