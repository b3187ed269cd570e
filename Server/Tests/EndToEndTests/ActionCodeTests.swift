import Foundation
import Testing

/// Email action codes with clients from other developers.
@Suite(.developmentServer)
struct ActionCodeClientTests {
  @Test(arguments: ["admin_links.py", "client_codes.py"])
  func `codes work with clients from other developers`(client: String) async throws {
    try await Python.run(client, environment: try suiteServer().clientEnvironment)
  }

  @Test func `the terminal shows the content of a mail`() async throws {
    let server = try suiteServer()
    _ = try await server.app.signUp("terminal@example.com", "notasecret")
    _ = try await server.app.call(
      "sendOobCode", ["requestType": "PASSWORD_RESET", "email": "terminal@example.com"])
    let start = "To reset the password of terminal@example.com, open: \(server.baseURL)/emulator/"
    let isSaid = try await Deadline.wait { server.process.output.contains(start) }
    #expect(isSaid)
  }
}

/// Action codes of a production server, which sends no mail.
@Suite struct ProductionActionCodeTests {
  @Test func `an administrator gets a link to the public URL, and a client an error`()
    async throws
  {
    try await Production.with { production, server, administrator in
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let signedUp = try await app.signUp("ann@example.com", "notasecret")
      #expect(signedUp.status == 200)
      for address in ["ann@example.com", "nobody@example.com"] {
        let asked = try await app.call(
          "sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(address)])
        #expect(asked.status == 400)
        #expect(
          asked.json["error"]["message"].string
            == "OPERATION_NOT_ALLOWED : This server can't send mail. An administrator can request "
            + "the link with returnOobLink.")
      }
      let made = try await administrator.call(
        .post, "accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "ann@example.com", "returnOobLink": true])
      let link = try #require(URLComponents(string: made.json["oobLink"].string ?? ""))
      #expect(link.host == "auth.example.com")
      #expect(link.path == "/__/auth/action")
      #expect(link.queryItems?.first { $0.name == "apiKey" }?.value == production.apiKey)
      let code = try #require(link.queryItems?.first { $0.name == "oobCode" }?.value)
      let reset = try await app.call(
        "resetPassword", ["oobCode": .string(code), "newPassword": "freshpass"])
      #expect(reset.status == 200)
      #expect(try await app.signIn("ann@example.com", "freshpass").status == 200)
      for path in ["/emulator/v1/projects/my-app/oobCodes", "/emulator/action?oobCode=\(code)"] {
        #expect(try await HTTP.get(server.baseURL + path).status == 404)
      }
      // The code is neither in the log nor in the database.
      #expect(!server.process.output.contains(code))
      #expect(!server.process.errors.contains(code))
      let data = URL(fileURLWithPath: production.folder.path + "/data")
      for file in try FileManager.default.contentsOfDirectory(
        at: data, includingPropertiesForKeys: nil)
      {
        #expect(try Data(contentsOf: file).range(of: Data(code.utf8)) == nil)
      }
    }
  }
}
