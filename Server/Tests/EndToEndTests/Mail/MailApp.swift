import Testing

/// An app of the production project.
struct MailApp {
  static let password = "long enough"

  let client: AppClient
  let process: ChildProcess

  func signUp(_ email: String) async throws {
    #expect(try await client.signUp(email, Self.password).verdict == "200")
  }

  func ask(_ type: String, _ email: String, language: String = "en") async throws -> Reply {
    try await client.call(
      "sendOobCode", ["requestType": .string(type), "email": .string(email)],
      headers: [("x-firebase-locale", language)])
  }
}
