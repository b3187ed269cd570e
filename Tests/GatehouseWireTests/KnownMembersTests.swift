import GatehouseJSON
import GatehouseWire
import Testing

@Suite struct KnownMembersTests {
  private static let members = KnownMembers([
    "name", "signIn.email.enabled", "signIn.allowDuplicateEmails", "versions.minLength", "mfa.*",
  ])

  private func firstUnknown(_ text: String) throws -> String? {
    Self.members.firstUnknown(in: WireFields(try JSONObject(parsing: text)))
  }

  @Test(arguments: [
    "{}", #"{"name":"x"}"#, #"{"signIn":{"email":{"enabled":true}}}"#,
    #"{"sign_in":{"allow_duplicate_emails":true}}"#, #"{"mfa":{"state":"X","more":[{"a":1}]}}"#,
    #"{"versions":[{"minLength":6},{"min_length":7}]}"#, #"{"signIn":null}"#,
    // The reader says that the type is wrong.
    #"{"signIn":[1]}"#,
  ]) func `what is listed is known, in both forms of its name`(text: String) throws {
    #expect(try firstUnknown(text) == nil)
  }

  @Test(arguments: [
    (#"{"other":1}"#, "other"), (#"{"name":"x","signIn":{"phone":{}}}"#, "signIn.phone"),
    (#"{"signIn":{"email":{"enabled":true,"on":1}}}"#, "signIn.email.on"),
    (#"{"versions":[{"minLength":6},{"maxLength":7}]}"#, "versions.maxLength"),
    (#"{"Name":"x"}"#, "Name"), (#"{"other":null}"#, "other"),
  ]) func `the first of the others is named by its path`(text: String, path: String) throws {
    #expect(try firstUnknown(text) == path)
  }
}
