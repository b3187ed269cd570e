import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

@Suite("The server's refusals") struct AuthErrorCodeServerTests {
  private func error(
    _ code: String, detail: String? = nil, reason: String? = nil, status: Int = 400
  ) -> NSError {
    ClientError.server(
      ServerRefusal(status: status, code: code, detail: detail, reason: reason)
    ).nsError()
  }

  @Test(arguments: AuthErrorRow.all)
  func `a known code has its case`(_ row: AuthErrorRow) {
    for code in row.serverCodes { #expect(error(code).code == row.number) }
  }

  @Test func `the server's detail is the description`() {
    let error = error("INVALID_CUSTOM_TOKEN", detail: "The token has expired.")
    #expect(error.localizedDescription == "The token has expired.")
  }

  @Test func `a weak password also has the detail as its reason`() {
    let error = error("WEAK_PASSWORD", detail: "Six characters at least.")
    #expect(error.localizedFailureReason == "Six characters at least.")
  }

  @Test(arguments: [
    (
      #"HTTP Cloud Function returned an error: {"error":{"message":"Only employees.","status":"PERMISSION_DENIED"}}"#,
      "Only employees."
    ),
    ("((Deadline exceeded making request.))", "((Deadline exceeded making request.))"),
    (
      "HTTP Cloud Function returned an error: {broken",
      "HTTP Cloud Function returned an error: {broken"
    ),
  ])
  func `a blocking function's message is the description`(_ detail: String, _ shown: String) {
    let error = error("BLOCKING_FUNCTION_ERROR_RESPONSE", detail: detail)
    #expect(error.code == 17105)
    #expect(error.localizedDescription == shown)
  }

  @Test func `the reasons outside the message have their codes`() {
    #expect(
      error("INVALID_ARGUMENT", reason: "keyInvalid").code
        == AuthErrorCode.invalidAPIKey.rawValue)
    #expect(
      error("PERMISSION_DENIED", reason: "ipRefererBlocked").code
        == AuthErrorCode.appNotAuthorized.rawValue)
  }

  @Test func `the words about an unknown API key have their code`() {
    let words = "API key not valid. Please pass a valid API key."
    #expect(
      error(words, reason: "badRequest").code == AuthErrorCode.invalidAPIKey.rawValue)
  }

  @Test func `an unknown code is complete in the underlying error`() throws {
    let error = error("QUOTA_OF_TOMORROW", detail: "Come back.", status: 429)
    #expect(error.code == AuthErrorCode.internalError.rawValue)
    #expect(error.localizedDescription == "Come back.")
    let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(cause.domain == "FIRAuthInternalErrorDomain")
    #expect(cause.code == 3)
    let answer = try #require(
      cause.userInfo["FIRAuthErrorUserInfoDeserializedResponseKey"] as? [String: Any])
    #expect(answer["code"] as? String == "QUOTA_OF_TOMORROW")
    #expect(answer["message"] as? String == "QUOTA_OF_TOMORROW : Come back.")
    #expect(answer["status"] as? Int == 429)
  }
}
