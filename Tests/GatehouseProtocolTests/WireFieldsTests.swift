import GatehouseProtocol
import Testing

@Suite struct WireFieldsTests {
  private func fields(_ json: String) throws -> WireFields {
    WireFields(try JSONObject(parsing: json))
  }

  @Test(arguments: ["requestUri", "request_uri"])
  func `a name is found in camelCase and in snake_case`(_ name: String) throws {
    #expect(try fields(#"{"\#(name)":"x"}"#).string("requestUri") == "x")
  }

  @Test(arguments: [
    "requesturi", "RequestUri", "request_Uri", "requestUri ", "request__uri", "request",
  ])
  func `no other spelling is found`(_ name: String) throws {
    #expect(try fields(#"{"\#(name)":"x"}"#).string("requestUri") == nil)
  }

  @Test func `null is absent`() throws {
    let fields = try fields(#"{"email":null,"localId":null,"validSince":null}"#)
    #expect(try fields.string("email") == nil)
    #expect(try fields.strings("localId") == [])
    #expect(try fields.int64("validSince") == nil)
  }

  @Test func `integers come as numbers and as strings`() throws {
    #expect(try fields(#"{"validSince":1611780718}"#).int64("validSince") == 1_611_780_718)
    #expect(try fields(#"{"validSince":"1611780718"}"#).int64("validSince") == 1_611_780_718)
  }

  @Test(arguments: [("7", "7"), ("-1.50", "-1.50"), ("1e3", "1e3")])
  func `a number for a text is read as it is written`(_ number: String, _ text: String) throws {
    let fields = try fields(#"{"email":\#(number),"localId":["a",\#(number)]}"#)
    #expect(try fields.string("email") == text)
    #expect(try fields.strings("localId") == ["a", text])
  }

  @Test(arguments: ["true", "{}", "[]", #"["x"]"#])
  func `another value for a text is refused`(_ value: String) throws {
    #expect(throws: WireError(field: "email", wanted: .string)) {
      try fields(#"{"email":\#(value)}"#).string("email")
    }
  }

  @Test(arguments: [
    ("true", true), ("1", true), ("1.0", true), (#""true""#, true), (#""YES""#, true),
    (#""t""#, true),
    (#""y""#, true), (#""1""#, true), ("false", false), ("0", false), (#""False""#, false),
    (#""no""#, false), (#""f""#, false), (#""n""#, false), (#""0""#, false),
  ]) func `a boolean is also read from a digit or a word`(_ value: String, _ expected: Bool) throws
  {
    #expect(try fields(#"{"disabled":\#(value)}"#).bool("disabled") == expected)
  }

  @Test(arguments: ["2", "-1", #""""#, #""on""#, #"" true""#, #""2""#, "{}", "[true]"])
  func `another value for a boolean is refused`(_ value: String) throws {
    #expect(throws: WireError(field: "disabled", wanted: .bool)) {
      try fields(#"{"disabled":\#(value)}"#).bool("disabled")
    }
  }

  @Test func `a map has texts, and numbers as they are written`() throws {
    let fields = try fields(#"{"map":{"a":"x","b":123456},"other":{"a":true}}"#)
    let texts = try #require(try fields.texts("map"))
    #expect(texts.map(\.name) == ["a", "b"])
    #expect(texts.map(\.value) == ["x", "123456"])
    #expect(try fields.texts("none")?.count == nil)
    #expect(throws: WireError(field: "other", wanted: .string)) { try fields.texts("other") }
  }

  @Test func `one value for a list is a list of one`() throws {
    let fields = try fields(#"{"localId":"a","deleteAttribute":"EMAIL","users":{"localId":"b"}}"#)
    #expect(try fields.strings("localId") == ["a"])
    #expect(try fields.enumerators("deleteAttribute") == [.name("EMAIL")])
    #expect(try fields.messages("users").map { try $0.string("localId") } == ["b"])
  }

  @Test(arguments: ["1611780718.0", "1.611780718e9", "16117807180e-1"])
  func `a number that is an integer in another notation is read`(_ value: String) throws {
    let fields = try fields(#"{"validSince":\#(value)}"#)
    #expect(try fields.int64("validSince") == 1_611_780_718)
    #expect(try fields.enumerator("validSince") == .number(1_611_780_718))
  }

  @Test(arguments: [
    #""1.5""#, "1.5", #""""#, "true", "1e30", #""99999999999999999999""#, "9007199254740993.0",
  ])
  func `what isn't an integer is refused`(_ value: String) throws {
    let fields = try fields(#"{"validSince":\#(value)}"#)
    #expect(throws: WireError(field: "validSince", wanted: .int64)) {
      try fields.int64("validSince")
    }
  }

  @Test func `a field of the wrong type is named with its place`() throws {
    let update = try fields(#"{"linkProviderUserInfo":{"rawId":true}}"#)
    #expect(throws: WireError(field: "linkProviderUserInfo.rawId", wanted: .string)) {
      try UpdateRequest(update)
    }
    let lookup = try fields(#"{"localId":["a",{}]}"#)
    #expect(throws: WireError(field: "localId[1]", wanted: .string)) { try LookupRequest(lookup) }
    let error = WireError(field: "localId[1]", wanted: .string)
    #expect(error.description == "Invalid value at 'localId[1]' (TYPE_STRING)")
  }

  @Test func `enumerators come by name and by number`() throws {
    let request = try UpdateRequest(
      fields(#"{"deleteAttribute":["DISPLAY_NAME",4,"5","RAW_USER_INFO",99]}"#))
    #expect(request.deletedAttributes == [.displayName, .photoURL, .password, .rawUserInfo])
    for (text, kind) in [
      (#""CODE""#, RevokeTokenRequest.Kind.code), ("3", .code), (#""1""#, .refreshToken),
    ] {
      #expect(try RevokeTokenRequest(fields(#"{"tokenType":\#(text)}"#)).kind == kind)
    }
  }

  @Test func `a null list and unknown fields are tolerated`() throws {
    let request = try UpdateRequest(fields(#"{"deleteAttribute":null,"photoURL":{"x":[1]}}"#))
    #expect(request.deletedAttributes.isEmpty)
    #expect(request.photoURL == nil)
  }

  @Test func `a token request is a form or JSON in either spelling`() throws {
    for request in [
      try TokenRequest(fields(#"{"grantType":"refresh_token","refreshToken":"r"}"#)),
      try TokenRequest(fields(#"{"grant_type":"refresh_token","refresh_token":"r"}"#)),
      TokenRequest(form: FormFields("grant_type=refresh_token&refresh_token=r&refresh_token=s")),
    ] {
      #expect(request.grantType == .refreshToken)
      #expect(request.refreshToken == "r")
    }
  }
}
