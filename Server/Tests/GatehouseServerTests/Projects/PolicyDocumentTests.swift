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

  @Test func `assigning every listed value changes nothing`() throws {
    for (name, value) in document.values {
      #expect(try document.assign("\(name)=\(value)") == ProjectPolicies())
    }
  }

  @Test func `a Boolean policy is set`() throws {
    var expected = ProjectPolicies()
    expected.allowsAnonymous = true
    #expect(try document.assign("allowsAnonymous=true") == expected)
  }

  @Test func `a number is set`() throws {
    var expected = ProjectPolicies()
    expected.refreshGraceSeconds = 30
    #expect(try document.assign("refreshGraceSeconds=30") == expected)
  }

  @Test(arguments: [
    ("allowsAnonymous=yes", "allowsAnonymous: “yes” is not valid; now it is “false”"),
    ("allowsAnonymous=1", "allowsAnonymous: “1” is not valid; now it is “false”"),
    ("allowsAnonymous", "“allowsAnonymous”: write it as name=value"),
    ("refreshGraceSeconds=true", "refreshGraceSeconds: “true” is not valid; now it is “60”"),
    ("refreshGraceSeconds=-1", "refreshGraceSeconds: -1 is not from 0 to 600"),
    ("refreshGraceSeconds=601", "refreshGraceSeconds: 601 is not from 0 to 600"),
    ("recentSignInSeconds=0", "recentSignInSeconds: 0 is not from 1 to 86400"),
    (
      "recentSignInSeconds=99999999999999999999",
      "recentSignInSeconds: “99999999999999999999” is not valid; now it is “300”"
    ),
  ])
  func `an invalid value is rejected with the allowed ones`(_ assignment: String, _ fault: String) {
    #expect {
      try document.assign(assignment)
    } throws: {
      ($0 as? PolicyFault)?.description == fault
    }
  }

  @Test func `an unknown name is rejected with a list of all names`() {
    #expect {
      try document.assign("allowsanonymous=true")
    } throws: { error in
      let text = (error as? PolicyFault)?.description ?? ""
      return text.hasPrefix("there is no policy “allowsanonymous”; choose from ")
        && text.contains("allowsAnonymous")
    }
  }
}
