import Foundation
import Testing

/// Sign-in by text message with the real binary: codes in development, a webhook in production.
@Suite(.developmentServer)
struct PhoneNumberTests {
  @Test func `Google's Admin SDK works with phone numbers`() async throws {
    try await Python.run("admin_phone_numbers.py", environment: try suiteServer().clientEnvironment)
  }

  @Test func `a development server shows the code in its terminal and in the emulator's list`()
    async throws
  {
    let server = try suiteServer()
    let number = Unique.phoneNumber()
    let sent = try await server.app.call("sendVerificationCode", ["phoneNumber": .string(number)])
    let code = try await server.verificationCode(sent.json["sessionInfo"].string)
    #expect(
      server.process.output.contains(
        "To verify the phone number \(number), use the code \(code)."))
    let reply = try await server.app.call(
      "signInWithPhoneNumber",
      ["sessionInfo": sent.json["sessionInfo"], "code": .string(code)])
    #expect(reply.verdict == "200")
    #expect(reply.json["phoneNumber"].string == number)
  }
}

@Suite struct PhoneWebhookTests {
  @Test func `the example receiver sends by Twilio, Vonage and MessageBird`() async throws {
    try await Python.run("text_message_vendors.py")
  }

  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  /// A production server whose project sends codes to a receiver. The receiver verifies them with
  /// another developer's library.
  private func withWebhook(
    _ arguments: [String] = [], receiverKnows: String = secret,
    _ body: (Production, GatehouseServer, AppClient, _ receiver: String) async throws -> Void
  ) async throws {
    try await Python.serve("webhook_receiver.py", [receiverKnows] + arguments) { ready in
      let receiver = try #require(ready["url"].string)
      try await Production.with { production, server, _ in
        let file = production.folder.path + "/webhook-secret"
        try Self.secret.write(toFile: file, atomically: true, encoding: .utf8)
        let set = try await production.command(
          "phone-numbers", "set", "--enable-sign-in", "--prefix", "+1", "--webhook", receiver,
          "--webhook-secret-file", file)
        #expect(set.status == 0, "\(set.errors)")
        #expect(!set.output.contains("whsec_"))
        try await body(
          production, server, AppClient(baseURL: server.baseURL, apiKey: production.apiKey),
          receiver)
      }
    }
  }

  /// Sends a code, once the server has loaded the settings.
  private func send(_ number: String, _ app: AppClient) async throws -> Reply {
    var reply = try await app.call("sendVerificationCode", ["phoneNumber": .string(number)])
    _ = try await Deadline.wait {
      guard reply.verdict.contains("is disabled for this project") else { return true }
      reply = try await app.call("sendVerificationCode", ["phoneNumber": .string(number)])
      return false
    }
    return reply
  }

  @Test func `a code goes to the webhook, signed by Standard Webhooks, and signs in`()
    async throws
  {
    try await withWebhook { production, server, app, receiver in
      let number = Unique.phoneNumber()
      let sent = try await send(number, app)
      #expect(sent.verdict == "200")
      let seen = try await HTTP.get(receiver).json
      #expect(seen["refused"].array.isEmpty)
      let event = seen["events"][0]
      #expect(event["type"].string == "phone.verification_code")
      #expect(event["data"]["phoneNumber"].string == number)
      #expect(event["data"]["project"].string == production.project)
      let code = try #require(event["data"]["code"].string)
      #expect(event["data"]["message"].string?.contains(code) == true)
      let signedIn = try await app.call(
        "signInWithPhoneNumber",
        ["sessionInfo": sent.json["sessionInfo"], "code": .string(code)])
      #expect(signedIn.verdict == "200")
      #expect(signedIn.json["phoneNumber"].string == number)
      // A production server has no list of codes, and logs neither the code nor the number.
      let listed = try await HTTP.get(
        "\(server.baseURL)/emulator/v1/projects/\(production.project)/verificationCodes")
      #expect(listed.status == 404)
      #expect(!server.process.output.contains(code) && !server.process.errors.contains(code))
      #expect(!server.process.errors.contains(number))
    }
  }

  @Test func `the command tests the webhook`() async throws {
    try await withWebhook { production, _, _, receiver in
      let tested = try await production.command("phone-numbers", "test")
      #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
      let seen = try await HTTP.get(receiver).json
      #expect(seen["events"][0]["type"].string == "phone.test")
      let shown = try await production.command("phone-numbers", "show")
      #expect(shown.output.contains(receiver))
      #expect(!shown.output.contains("whsec_"))
    }
  }

  @Test func `a receiver that is starting gets the same event again`() async throws {
    try await withWebhook(["fail"]) { _, _, app, receiver in
      #expect(try await send(Unique.phoneNumber(), app).verdict == "200")
      let seen = try await HTTP.get(receiver).json
      #expect(seen["deliveries"] == [3])
      #expect(seen["events"].array.count == 1)
    }
  }

  @Test func `a receiver with another secret refuses, and the client gets an error`()
    async throws
  {
    try await withWebhook(receiverKnows: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD") {
      production, server, app, _ in
      let reply = try await send(Unique.phoneNumber(), app)
      #expect(reply.status == 503)
      #expect(
        try await Deadline.wait {
          (server.process.output + server.process.errors).contains(
            "the webhook responded with status 401")
        })
      let tested = try await production.command("phone-numbers", "test")
      #expect(tested.status == 1)
      #expect(tested.output.contains("--webhook-secret-file"))
    }
  }

  @Test func `without a webhook the client gets an error, the operator a remedy`() async throws {
    try await Production.with { production, server, _ in
      let set = try await production.command(
        "phone-numbers", "set", "--enable-sign-in", "--prefix", "+1")
      #expect(set.status == 0, "\(set.errors)")
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let reply = try await send(Unique.phoneNumber(), app)
      #expect(
        reply.verdict
          == "400 OPERATION_NOT_ALLOWED : This project can't send text messages: it has no webhook."
      )
      #expect(
        try await Deadline.wait {
          (server.process.output + server.process.errors).contains(
            "gatehouse phone-numbers set --webhook URL")
        })
      let doctor = try await production.command(
        "doctor", "--public-url", Production.publicURL)
      #expect(doctor.output.contains("there is no webhook that sends codes"))
    }
  }

  @Test func `a test number signs in without a message`() async throws {
    try await Production.with { production, server, _ in
      let set = try await production.command(
        "phone-numbers", "set", "--enable-sign-in", "--test-number", "+15555550100=123456")
      #expect(set.status == 0, "\(set.errors)")
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let sent = try await send("+15555550100", app)
      #expect(sent.verdict == "200")
      let reply = try await app.call(
        "signInWithPhoneNumber",
        ["sessionInfo": sent.json["sessionInfo"], "code": "123456"])
      #expect(reply.verdict == "200")
    }
  }

  @Test(
    arguments: [
      (["--webhook", "http://sms.example.com/"], "url is an https URL"),
      (["--webhook", "nonsense"], "url is not a URL"),
      (["--prefix", "49"], "allowedPrefixes: “49” is not + and the first digits"),
      (["--test-number", "+15555550100"], "write it as +15555550100=123456"),
      (["--test-number", "+15555550100=1"], "the code of +15555550100 is not 6 digits"),
      (["--messages-per-day", "0"], "messagesPerDay: 0 is not from 1 to 1000000"),
      ([], "nothing to set"),
    ]) func `an invalid setting is named`(_ arguments: [String], _ text: String) async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let set = try await production.command(["phone-numbers", "set"] + arguments)
      #expect(set.status != 0)
      #expect(set.errors.contains(text), "\(set.errors)")
    }
  }

  @Test(arguments: ["https://10.0.0.1/", "https://169.254.169.254/latest"])
  func `a webhook in a private network is called only if the operator allows it`(
    _ url: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try await production.command("phone-numbers", "set", "--webhook", url)
      let tested = try await production.command("phone-numbers", "test")
      #expect(tested.status == 1)
      #expect(tested.output.contains("which is not public"), "\(tested.output)")
      #expect(tested.output.contains("outbound.privateHosts="))
    }
  }

  @Test func `a secret is created if none is given, shown once, and kept`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let first = try await production.command(
        "phone-numbers", "set", "--webhook", "https://sms.example.com/")
      #expect(first.output.contains("whsec_"))
      #expect(first.output.contains("is off: turn it on with --enable-sign-in"))
      let second = try await production.command(
        "phone-numbers", "set", "--webhook", "https://other.example.com/")
      #expect(second.status == 0 && !second.output.contains("whsec_"))
      let removed = try await production.command("phone-numbers", "set", "--no-webhook")
      #expect(removed.status == 0)
      let tested = try await production.command("phone-numbers", "test")
      #expect(tested.errors.contains("phone-numbers set --webhook URL"))
    }
  }
}

extension GatehouseServer {
  /// The code of a session, in the emulator's list.
  func verificationCode(_ sessionInfo: String?) async throws -> String {
    let listed = try await HTTP.get(
      "\(baseURL)/emulator/v1/projects/demo/verificationCodes",
      headers: [("authorization", "Bearer owner")])
    let found = listed.json["verificationCodes"].array.last {
      $0["sessionInfo"].string == sessionInfo
    }
    guard let code = found?["code"].string else { throw Unexpected(listed) }
    return code
  }
}

extension Unique {
  /// A random number with the area code 555, which is not in use.
  static func phoneNumber() -> String { "+1555" + String(Int.random(in: 1_000_000...9_999_999)) }
}
