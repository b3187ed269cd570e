import Foundation
import HTTPTypes
import Testing

@Suite struct FacebookDialogTests {
  private func permissions(_ answer: Reply, _ client: SimulatorClient) async throws -> [String]? {
    let code = try answer.redirectParameters()["code"] ?? ""
    let tokens = try await client.get(
      "/facebook/graph/oauth/access_token",
      query: [
        "client_id": "1234", "client_secret": "secret", "code": code,
        "redirect_uri": DialogURL.redirectURI,
      ])
    let inspected = try await client.get(
      "/facebook/graph/debug_token",
      query: [
        "input_token": tokens.json.string("access_token") ?? "", "access_token": "1234|secret",
      ])
    return inspected.json.object("data")?.strings("scopes")
  }

  @Test func `the address is shared if it stays ticked`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.facebook(), client)
      try await browser.choose("alice")
      #expect(browser.has(id: "allow-email"))
      let answer = try await browser.goOn("alice", [("allow_email", "yes")])
      #expect(answer.status == 303)
      #expect(try await permissions(answer, client)?.contains("email") == true)
    }
  }

  @Test func `an unticked address is withheld until it is requested again`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.facebook(), client)
      try await browser.choose("alice")
      var answer = try await browser.goOn("alice")
      #expect(try await permissions(answer, client) == ["public_profile"])

      browser = try await DialogBrowser.open(DialogURL.facebook(), client)
      try await browser.choose("alice")
      #expect(!browser.has(id: "allow-email"))
      answer = try await browser.goOn("alice", [("allow_email", "yes")])
      #expect(try await permissions(answer, client) == ["public_profile"])

      browser = try await DialogBrowser.open(
        DialogURL.facebook(["auth_type": "rerequest"]), client)
      try await browser.choose("alice")
      #expect(browser.has(id: "allow-email"))
      answer = try await browser.goOn("alice", [("allow_email", "yes")])
      #expect(try await permissions(answer, client)?.contains("email") == true)
    }
  }

  @Test func `a cancelled sign-in is Facebook's error for denied access`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.facebook(), client)
      let parameters = try await browser.cancel().redirectParameters()
      #expect(parameters["error"] == "access_denied")
      #expect(parameters["error_reason"] == "user_denied")
      #expect(parameters["state"] == "s 1")
    }
  }
}
