import GatehouseServer
import GatehouseProtocol
import Testing

/// What each response of a function means.
@Suite struct BlockingFunctionAnswerTests {
  private func outcome(
    _ body: String, status: Int = 200, _ trigger: BlockingFunction.Trigger = .beforeSignIn
  ) throws(BlockingFunctionFault) -> BlockingOutcome {
    try answer(body, status: status, trigger).outcome
  }

  private func answer(
    _ body: String, status: Int = 200, _ trigger: BlockingFunction.Trigger = .beforeSignIn
  ) throws(BlockingFunctionFault) -> BlockingFunctionAnswer {
    try BlockingFunctionAnswer(
      OutboundResponse(status: status, body: Array(body.utf8)), to: trigger)
  }

  private func changes(
    _ record: String, _ trigger: BlockingFunction.Trigger = .beforeSignIn
  ) throws -> BlockingChanges {
    guard case .allowed(let changes) = try outcome(#"{"userRecord":\#(record)}"#, trigger) else {
      throw BlockingFunctionFault.notJSON
    }
    return changes
  }

  @Test(arguments: ["{}", #"{"userRecord":{"updateMask":""}}"#], [200, 201])
  func `an empty answer changes nothing`(_ body: String, _ status: Int) throws {
    guard case .allowed(let changes) = try outcome(body, status: status) else {
      Issue.record("not allowed")
      return
    }
    #expect(changes.isEmpty)
  }

  @Test func `the fields that the mask names are changed`() throws {
    let changes = try changes(
      #"""
      {"displayName":"Ann","photoURL":"https://example.com/p","disabled":true,"emailVerified":true,
       "customClaims":{"role":"x"},"sessionClaims":{"ip":"1"},
       "updateMask":"displayName,photoURL, disabled,emailVerified,customClaims,sessionClaims"}
      """#)
    guard case .set("Ann") = changes.displayName,
      case .set("https://example.com/p") = changes.photoURL,
      case .set(let custom) = changes.customClaims
    else {
      Issue.record("\(changes)")
      return
    }
    #expect(changes.isDisabled == true)
    #expect(changes.isEmailVerified == true)
    #expect(custom.jsonText == #"{"role":"x"}"#)
    #expect(changes.sessionClaims?.jsonText == #"{"ip":"1"}"#)
  }

  @Test func `fields that the mask doesn't name stay`() throws {
    let changes = try changes(#"{"displayName":"Ann","disabled":true,"updateMask":"disabled"}"#)
    guard case .keep = changes.displayName else {
      Issue.record("\(changes)")
      return
    }
    #expect(changes.isDisabled == true)
  }

  @Test(arguments: ["null", #""""#])
  func `a name that is null or empty is removed`(_ value: String) throws {
    let changes = try changes(#"{"displayName":\#(value),"updateMask":"displayName,customClaims"}"#)
    guard case .remove = changes.displayName, case .remove = changes.customClaims else {
      Issue.record("\(changes)")
      return
    }
  }

  @Test(
    arguments: [
      ("", .notJSON), ("garbage", .notJSON), ("[]", .notJSON),
      (#"{"error":{"message":"no","status":"PERMISSION_DENIED"}}"#, .errorWithSuccess),
      (#"{"userRecord":{"updateMask":""},"error":"no"}"#, .errorWithSuccess),
      (#"{"a":1,"a":2}"#, .notJSON),
      (#"{"userRecord":[]}"#, .invalidMember("userRecord")),
      (#"{"userRecord":{"displayName":"Ann"}}"#, .invalidMember("updateMask")),
      (
        #"{"userRecord":{"displayName":[],"updateMask":"displayName"}}"#,
        .invalidMember("displayName")
      ),
      (
        #"{"userRecord":{"displayName":"a\u0007","updateMask":"displayName"}}"#,
        .invalidMember("displayName")
      ),
      (
        #"{"userRecord":{"disabled":"true","updateMask":"disabled"}}"#, .invalidMember("disabled")
      ),
      (
        #"{"userRecord":{"customClaims":"x","updateMask":"customClaims"}}"#,
        .invalidMember("customClaims")
      ),
      (
        #"{"userRecord":{"customClaims":{"iss":"x"},"updateMask":"customClaims"}}"#,
        .forbiddenMember("customClaims.iss")
      ),
      (
        #"{"userRecord":{"sessionClaims":{"firebase":{}},"updateMask":"sessionClaims"}}"#,
        .forbiddenMember("sessionClaims.firebase")
      ),
    ] as [(String, BlockingFunctionFault)])
  func `an answer in another form is a failure`(
    _ body: String, _ fault: BlockingFunctionFault
  ) {
    #expect(throws: fault) { try outcome(body) }
  }

  @Test(
    arguments: [
      (#"{"recaptchaActionOverride":"ALLOW"}"#, "recaptchaActionOverride"),
      (#"{"userRecord":{"updateMask":"email"}}"#, "updateMask: email"),
      (#"{"userRecord":{"email":"a@example.com","updateMask":""}}"#, "userRecord.email"),
    ])
  func `a member that no function can set has no effect, and is named for the log`(
    _ body: String, _ name: String
  ) throws {
    let answer = try answer(body)
    guard case .allowed(let changes) = answer.outcome else {
      Issue.record("not allowed")
      return
    }
    #expect(changes.isEmpty)
    #expect(answer.ignored == [name])
  }

  @Test func `beside a member without effect, others have theirs`() throws {
    let changes = try changes(
      #"{"email":"a@example.com","disabled":true,"updateMask":"email,disabled"}"#)
    #expect(changes.isDisabled == true)
  }

  @Test func `a number is a text`() throws {
    let changes = try changes(#"{"displayName":42,"updateMask":"displayName"}"#)
    guard case .set("42") = changes.displayName else {
      Issue.record("\(changes)")
      return
    }
  }

  @Test(arguments: [
    (BlockingFunctionFault.notSent(.timedOut(host: "example.com")), BlockingRefusal.tooSlow),
    (.notSent(.broken(host: "example.com")), .failure), (.notJSON, .failure),
  ])
  func `clients are told whether the function was too slow`(
    _ fault: BlockingFunctionFault, _ refusal: BlockingRefusal
  ) {
    #expect(fault.refusal == refusal)
  }

  @Test(arguments: [("displayName", 257), ("photoUrl", 2049)])
  func `names and addresses have the limits of every account`(_ field: String, _ count: Int) throws
  {
    let record = { (count: Int) in
      let text = String(repeating: "a", count: count)
      return #"{"\#(field)":"\#(text)","updateMask":"\#(field)"}"#
    }
    _ = try changes(record(count - 1))
    #expect(throws: BlockingFunctionFault.invalidMember(field)) { try changes(record(count)) }
  }

  @Test(arguments: ["customClaims", "sessionClaims"])
  func `claims have at most 1000 characters`(_ field: String) throws {
    let record = { (count: Int) in
      let text = String(repeating: "a", count: count)
      return #"{"\#(field)":{"a":"\#(text)"},"updateMask":"\#(field)"}"#
    }
    _ = try changes(record(992))
    #expect(throws: BlockingFunctionFault.claimsTooLarge(field)) { try changes(record(993)) }
  }

  @Test func `a new account has no session whose claims could be set`() {
    let record = #"{"sessionClaims":{"a":1},"updateMask":"sessionClaims"}"#
    #expect(throws: BlockingFunctionFault.forbiddenMember("sessionClaims")) {
      try changes(record, .beforeCreate)
    }
  }

  @Test(arguments: [400, 401, 403, 404, 409, 429, 499])
  func `an error in Firebase's form is a refusal`(_ status: Int) throws {
    let body = #"{"error":{"message":"Only employees.","status":"PERMISSION_DENIED","details":{}}}"#
    guard case .refused(let refusal) = try outcome(body, status: status) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.message == "Only employees.")
    #expect(refusal.status == "PERMISSION_DENIED")
  }

  @Test(arguments: [302, 500, 503])
  func `an error of the function's server is a failure, whatever it says`(_ status: Int) {
    #expect(throws: BlockingFunctionFault.status(status)) {
      try outcome(#"{"error":{"message":"no","status":"INTERNAL"}}"#, status: status)
    }
  }

  @Test(arguments: ["", "<h1>Not Found</h1>", #"{"error":"no"}"#, #"{"error":{"message":"no"}}"#])
  func `an error of something else is a failure`(_ body: String) {
    #expect(throws: BlockingFunctionFault.status(404)) { try outcome(body, status: 404) }
  }

  @Test(
    arguments: [
      ("a\u{1B}[31mb\nc", "a[31mbc"), ("  ", BlockingRefusal.defaultMessage),
      (String(repeating: "x", count: 600), String(repeating: "x", count: 500)),
    ])
  func `a message is short and plain`(_ message: String, _ shown: String) {
    #expect(BlockingRefusal(message: message, status: nil).message == shown)
  }

  @Test(arguments: [nil, "", "permission denied", String(repeating: "A", count: 41)])
  func `a status that isn't a name is replaced`(_ status: String?) {
    #expect(BlockingRefusal(message: "no", status: status).status == "PERMISSION_DENIED")
  }
}
