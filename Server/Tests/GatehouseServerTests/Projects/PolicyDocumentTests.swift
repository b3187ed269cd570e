import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct PolicyDocumentTests {
  private let document: PolicyDocument

  init() throws { document = try PolicyDocument(ProjectPolicies()) }

  @Test func `every policy is listed by its name and value`() throws {
    let values = Dictionary(uniqueKeysWithValues: document.values.map { ($0.name, $0.value) })
    #expect(values["allowsAnonymous"] == "false")
    #expect(values["protectsEmails"] == "true")
    #expect(values["recentSignInSeconds"] == "300")
  }

  /// The policies changed by names with texts, as the command sends them.
  private func merging(_ changes: JSONObject) throws -> ProjectPolicies {
    try document.merging(changes)
  }

  @Test func `setting every policy to what it is changes nothing`() throws {
    #expect(try merging(document.object) == ProjectPolicies())
    for (name, value) in document.values {
      #expect(try merging([name: .string(value)]) == ProjectPolicies())
    }
  }

  @Test(arguments: [.bool(true), "true"] as [JSONValue])
  func `a Boolean policy is set`(value: JSONValue) throws {
    var expected = ProjectPolicies()
    expected.allowsAnonymous = true
    #expect(try merging(["allowsAnonymous": value]) == expected)
  }

  @Test(
    arguments: [
      ["rateLimits.codesPerAddress": "7"], ["rateLimits": ["codesPerAddress": 7]],
    ] as [JSONObject])
  func `a policy within another is named by both, or nested`(changes: JSONObject) throws {
    var expected = ProjectPolicies()
    expected.rateLimits.codesPerAddress = 7
    #expect(try merging(changes) == expected)
  }

  @Test func `null is the default, and a map is one value`() throws {
    var changed = ProjectPolicies()
    changed.refreshGraceSeconds = 30
    changed.phone.testNumbers = ["+15555550100": "123456"]
    let document = try PolicyDocument(changed)
    let policies = try document.merging([
      "refreshGraceSeconds": .null, "phone": ["testNumbers": ["+15555550101": "654321"]],
    ])
    #expect(policies.refreshGraceSeconds == 60)
    #expect(policies.phone.testNumbers == ["+15555550101": "654321"])
  }

  @Test(
    arguments: [
      (["allowsAnonymous": "yes"], "allowsAnonymous: “yes” is not valid; now it is “false”"),
      (["allowsAnonymous": 1], "allowsAnonymous: “1” is not valid; now it is “false”"),
      (
        ["refreshGraceSeconds": true], "refreshGraceSeconds: “true” is not valid; now it is “60”"
      ),
      (["refreshGraceSeconds": -1], "refreshGraceSeconds: -1 is not from 0 to 600"),
      (["refreshGraceSeconds": "601"], "refreshGraceSeconds: 601 is not from 0 to 600"),
      (["recentSignInSeconds": 0], "recentSignInSeconds: 0 is not from 1 to 86400"),
      (
        ["recentSignInSeconds": "99999999999999999999"],
        "recentSignInSeconds: “99999999999999999999” is not valid; now it is “300”"
      ),
      (["rateLimits": "none"], "rateLimits: “none” is not valid; now it is “”"),
      (
        ["allowsAnonymous": true, "allowsanonymus": true],
        "there is no policy “allowsanonymus”; did you mean “allowsAnonymous”?"
      ),
    ] as [(JSONObject, String)])
  func `what isn't valid is refused, and nothing is changed`(
    _ changes: JSONObject, _ fault: String
  ) {
    #expect { try merging(changes) } throws: { ($0 as? PolicyFault)?.description == fault }
  }

  @Test func `a name that is like no other is refused with all names`() {
    #expect {
      try merging(["colour": "green"])
    } throws: { error in
      let text = (error as? PolicyFault)?.description ?? ""
      return text.hasPrefix("there is no policy “colour”; there are ")
        && text.contains("allowsAnonymous")
    }
  }
}
