import GatehouseProtocol
import Testing

@Suite struct JSONObjectTests {
  @Test func `members keep their order`() throws {
    var object = try JSONObject(parsing: "{\"b\":1,\"a\":2}")
    object["c"] = 3
    object["b"] = 4
    #expect(object.members.map(\.name) == ["b", "a", "c"])
    object["a"] = nil
    #expect(object == ["b": 4, "c": 3])
    #expect(object["a"] == nil)
    object["absent"] = nil
    #expect(object.count == 2)
  }

  @Test func `null is a value, an absent member has none`() throws {
    let object = try JSONObject(parsing: "{\"a\":null}")
    #expect(object["a"] == .some(.null))
    #expect(object["b"] == nil)
  }

  @Test func `of several members with the same name the last counts`() {
    let object: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(object.members.map(\.name) == ["a", "b"])
    #expect(object["a"] == 3)
  }

  @Test func `strings are compared by their bytes`() {
    #expect(JSONValue.string("caf\u{e9}") != .string("cafe\u{301}"))
    #expect(JSONValue.object(["caf\u{e9}": 1]) != .object(["cafe\u{301}": 1]))
    #expect(Set([JSONValue.string("caf\u{e9}"), .string("cafe\u{301}")]).count == 2)
  }

  @Test(arguments: 1...20)
  func `names that differ in one byte are different`(length: Int) throws {
    let name = String(repeating: "a", count: length)
    let others = (0..<length).map { String(name.prefix($0) + "b" + name.dropFirst($0 + 1)) }
    let members = ([name] + others).map { "\"\($0)\":\"\($0)\"" }
    let object = try JSONObject(parsing: "{\(members.joined(separator: ","))}")
    for name in [name] + others { #expect(object[name] == .string(name)) }
  }

  @Test func `accessors convert nothing`() throws {
    let value = try JSONValue(parsing: "{\"s\":\"1\",\"n\":1,\"b\":true,\"a\":[1],\"z\":null}")
    #expect(value["s"]?.int64 == nil)
    #expect(value["s"]?.string == "1")
    #expect(value["n"]?.bool == nil)
    #expect(value["n"]?.int64 == 1)
    #expect(value["b"]?.bool == true)
    #expect(value["a"]?.array == [1])
    #expect(value["z"]?.isNull == true)
    #expect(value["a"]?["b"] == nil)
  }
}
