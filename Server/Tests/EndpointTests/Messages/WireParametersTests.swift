import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct WireParametersTests {
  @Test(arguments: ["maxResults=7", "max_results=7", "x=1&max_results=7&maxResults=8"])
  func `a parameter is found in camelCase and in snake_case, the first one first`(
    _ query: String
  ) throws {
    let parameters = WireParameters(FormFields(query))
    #expect(parameters.string("maxResults") == "7")
    #expect(try parameters.int64("maxResults") == 7)
  }

  @Test(arguments: ["", "maxresults=7", "max_Results=7", "maxResults="])
  func `an absent or empty parameter is nil`(_ query: String) throws {
    #expect(try WireParameters(FormFields(query)).int64("maxResults") == nil)
  }

  @Test(arguments: ["abc", "1.5", "0x10", "99999999999999999999", "7 "])
  func `what isn't a whole number is refused`(_ value: String) {
    let parameters = WireParameters(FormFields("maxResults=\(value)"))
    #expect(throws: WireError(field: "maxResults", wanted: .int64)) {
      try parameters.int64("maxResults")
    }
  }
}
