import Foundation
import GatehouseClient
import Testing

/// Emails from the request to their use: a client requests an email, a mail server accepts it, and a user
/// follows its link in Chromium. Screenshots of all emails and pages stay in `.build/screenshots/emails`.
@Suite struct EmailStoryTests {
  struct Reader: Sendable, CustomTestStringConvertible {
    let language: String
    let scheme: String
    let width: Int

    var arguments: [String] { [language, scheme, String(width)] }
    var testDescription: String { "\(language), \(scheme), \(width) pixels" }

    static let all = [
      Reader(language: "en", scheme: "light", width: 320),
      Reader(language: "de", scheme: "dark", width: 320),
      Reader(language: "vi", scheme: "dark", width: 1000),
    ]
  }

  @Test(arguments: Reader.all)
  func `a web page's emails verify, reset, change, recover and sign in`(
    _ reader: Reader
  ) async throws {
    try await runWebStory("own", reader)
  }

  @Test(.enabled(if: GoogleSDK.isThere, GoogleSDK.howTo), arguments: Reader.all)
  func `so do the emails that Google's SDK for JavaScript requests`(
    _ reader: Reader
  ) async throws {
    try await runWebStory("google", reader)
  }

  private func runWebStory(_ client: String, _ reader: Reader) async throws {
    try await withMail { mail, scene, server in
      var environment = server.clientEnvironment
      environment["GATEHOUSE_PROJECT"] = scene.production.project
      environment["GATEHOUSE_API_KEY"] = scene.production.apiKey
      environment["GATEHOUSE_DELIVERED_MAIL"] = mail.url
      environment["GATEHOUSE_JAVASCRIPT_SDK"] = GoogleSDK.path
      try await Chromium.run(
        "email_story.py", [client] + reader.arguments, suite: "emails", environment: environment)
    }
  }

  @Test(arguments: Reader.all)
  func `the Swift SDK's emails verify, reset, change, recover and sign in`(
    _ reader: Reader
  ) async throws {
    try await withMail { mail, scene, server in
      try await Chromium.serve(
        "email_service.py", reader.arguments, suite: "emails",
        environment: server.clientEnvironment
      ) { told in
        let mailbox = ReadMailbox(
          mail: mail, service: "http://127.0.0.1:\(Int(told["port"].number ?? 0))/")
        let client = AuthClient(
          configuration: try ClientConfiguration(
            serverURL: try #require(URL(string: server.baseURL)),
            apiKey: scene.production.apiKey, projectID: scene.production.project),
          store: MemoryStore(), transport: URLSessionTransport())
        client.languageCode = reader.language
        try await tell(client, mailbox)
      }
    }
  }

  private func tell(_ client: AuthClient, _ mailbox: ReadMailbox) async throws {
    let (email, newEmail) = ("ada@example.com", "ada-lovelace@example.com")
    var user = try await client.createUser(email: email, password: "first secret").user
    let uid = user.snapshot.uid
    try await user.sendEmailVerification()
    try await mailbox.follow("verify", 1, to: email)
    try await user.reload()
    #expect(user.snapshot.isEmailVerified)

    try await client.sendPasswordReset(to: email)
    try await mailbox.follow("reset", 2, to: email, password: "second secret")
    user = try await client.signIn(with: .password(email: email, password: "second secret")).user

    // The third email says that the password was changed. Emails are sent in any order.
    _ = try await mailbox.mail.messages(3)
    try await user.sendEmailVerification(beforeUpdatingTo: newEmail)
    try await mailbox.follow("change", 4, to: newEmail)
    let changed = try await client.signIn(
      with: .password(email: newEmail, password: "second secret"))
    #expect(changed.snapshot.uid == uid)

    try await mailbox.follow("recover", 5, to: email)
    // A button of the recovery page requested this email.
    try await mailbox.follow("recover-reset", 6, to: email, password: "third secret")
    let recovered = try await client.signIn(with: .password(email: email, password: "third secret"))
    #expect(recovered.snapshot.uid == uid)
    _ = try await mailbox.mail.messages(7)
    try client.signOut()

    var settings = ActionLinkSettings()
    settings.continueURL = URL(string: "https://app.example.com/after")
    settings.handleCodeInApp = true
    try await client.sendSignInLink(to: email, settings: settings)
    let link = try #require(try await mailbox.follow("sign-in", 8, to: email))
    let signedIn = try await client.signIn(with: .emailLink(email: email, link: link))
    #expect(signedIn.snapshot.uid == uid && !signedIn.isNewUser)
    await #expect(
      throws: ClientError.server(
        ServerRefusal(status: 400, code: "INVALID_OOB_CODE", reason: "invalid"))
    ) { try await client.signIn(with: .emailLink(email: email, link: link)) }
  }

  private func withMail(
    _ body: (MailServer, MailScene, GatehouseServer) async throws -> Void
  ) async throws {
    try await MailScene.with(
      "allowsPasswords=true", "allowsEmailLinks=true",
      domains: ["app.example.com", "auth.example.com"],
      body: body)
  }
}

/// A user who reads the emails that a mail server accepted.
private struct ReadMailbox {
  let mail: MailServer
  /// `email_service.py`
  let service: String

  /// Follows the link of the email with this number, the first being 1.
  ///
  /// - Returns: The target of the last page's link; nil if it has none.
  @discardableResult
  func follow(
    _ name: String, _ number: Int, to recipient: String, password: String? = nil
  ) async throws -> String? {
    let message = try await mail.messages(number)[number - 1]
    #expect(message["recipients"] == [.string(recipient)], "\(name): \(message["subject"])")
    let body: JSON = [
      "message": message, "name": .string(name), "password": password.map { .string($0) } ?? .null,
    ]
    let reply = try await HTTP.send(.post, service, body: body.text)
    #expect(reply.status == 200, "\(name): \(reply.text)")
    return reply.json["link"].string
  }
}
