import GatehouseAccounts
import Testing

@Suite struct EventDetailsTests {
  /// The first three are in the form that is written, the others only mean the same.
  @Test(arguments: [
    (#"{}"#, [:]), (#"{"provider":"google.com"}"#, ["provider": "google.com"]),
    (#"{"a":"","b":"ü, {1}: x"}"#, ["a": "", "b": "ü, {1}: x"]),
    (#"{"a":"one \"two\" \\ \u000a"}"#, ["a": "one \"two\" \\ \n"]),
    (#" { "a" : "b" } "#, ["a": "b"]),
  ])
  func `stored details are read`(_ text: String, _ details: [String: String]) {
    #expect(Event.details(text) == details)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"a"}"#, #"{"a":"b""#, #"{"a":"b",}"#, #"{"a":"b" "c":"d"}"#, #"{"a";"b"}"#,
    #"{"a":"b","c"}"#, #"{"a":1}"#, #"{"a":"b"}}"#,
  ])
  func `other texts are refused`(_ text: String) { #expect(Event.details(text) == nil) }
}
