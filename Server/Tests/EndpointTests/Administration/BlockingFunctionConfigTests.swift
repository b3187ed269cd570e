import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Blocking functions in a project's settings, and what an app gets when one refuses.
@Suite struct BlockingFunctionConfigTests {
  private func patch(
    _ functions: JSONValue, mask: String? = "blockingFunctions"
  ) -> TestRequest {
    TestRequest.admin(.patch, "v2/projects/demo/config", ["blockingFunctions": functions]).with {
      $0.query = mask.map { "updateMask=\($0)" }
    }
  }

  private func functions(_ server: TestServer) async throws -> JSONValue {
    let config = try await server.call(.admin(.get, "v2/projects/demo/config"))
    return try #require(config["blockingFunctions"])
  }

  private func trigger(_ url: String) -> JSONValue { ["functionUri": .string(url)] }

  @Test func `functions are set in Google's form, and the secret is shown once`() async throws {
    try await TestServer.with { server in
      let set = try await server.call(
        patch(["triggers": ["beforeCreate": trigger("https://f.example.com/create")]]))
      #expect(set.status == 200)
      let created = try #require(set["blockingFunctions"]?["triggers"]?["beforeCreate"])
      #expect(created["secret"]?.string?.hasPrefix("whsec_") == true)
      #expect(created["onFailure"] == "refuse")
      let read = try await functions(server)
      #expect(read["triggers"]?["beforeCreate"]?["functionUri"] == "https://f.example.com/create")
      #expect(read["triggers"]?["beforeCreate"]?["secret"] == nil)
      #expect(read["triggers"]?["beforeSignIn"] == nil)
      // What was read can be written back; the secret stays.
      let again = try await server.call(patch(read))
      #expect(again.status == 200)
      #expect(again["blockingFunctions"]?["triggers"]?["beforeCreate"]?["secret"] == nil)
    }
  }

  @Test func `a mask for one trigger keeps the other, and one for all replaces both`() async throws
  {
    try await TestServer.with { server in
      let both: JSONValue = [
        "triggers": [
          "beforeCreate": trigger("https://f.example.com/1"),
          "beforeSignIn": trigger("https://f.example.com/2"),
        ]
      ]
      _ = try await server.call(patch(both, mask: nil))
      _ = try await server.call(
        patch(
          ["triggers": ["beforeSignIn": ["onFailure": "allow"]]],
          mask: "blockingFunctions.triggers.beforeSignIn.onFailure"))
      var read = try await functions(server)
      #expect(read["triggers"]?["beforeSignIn"]?["onFailure"] == "allow")
      #expect(read["triggers"]?["beforeSignIn"]?["functionUri"] == "https://f.example.com/2")
      _ = try await server.call(
        patch(
          ["triggers": ["beforeSignIn": trigger("https://f.example.com/3")]],
          mask: "blockingFunctions.triggers.beforeSignIn"))
      read = try await functions(server)
      #expect(read["triggers"]?["beforeCreate"]?["functionUri"] == "https://f.example.com/1")
      #expect(read["triggers"]?["beforeSignIn"]?["functionUri"] == "https://f.example.com/3")
      #expect(read["triggers"]?["beforeSignIn"]?["onFailure"] == "allow")
      _ = try await server.call(patch(["triggers": [:]], mask: "blockingFunctions.triggers"))
      #expect(try await functions(server) == [:])
    }
  }

  @Test func `without a mask the functions are replaced, as by Google's emulator`() async throws {
    try await TestServer.with { server in
      #expect(try await functions(server) == [:])
      let set = try await server.call(
        patch(
          [
            "triggers": ["beforeCreate": trigger("https://f.example.com/1")],
            "forwardInboundCredentials": ["idToken": true, "accessToken": false],
          ], mask: nil))
      #expect(set["blockingFunctions"]?["forwardInboundCredentials"] == ["idToken": true])
      _ = try await server.call(
        patch(["triggers": ["beforeSignIn": trigger("https://f.example.com/2")]], mask: nil))
      let read = try await functions(server)
      #expect(read.object?.members.map(\.name) == ["triggers"])
      #expect(read["triggers"]?.object?.members.map(\.name) == ["beforeSignIn"])
      // A body without the member, too.
      _ = try await server.call(.admin(.patch, "v2/projects/demo/config", [:]).with { _ in })
      #expect(try await functions(server) == [:])
    }
  }

  @Test func `providers' tokens are forwarded only when that is turned on`() async throws {
    try await TestServer.with { server in
      #expect(try await functions(server)["forwardInboundCredentials"] == nil)
      _ = try await server.call(
        patch(
          ["forwardInboundCredentials": ["accessToken": true, "idToken": true]],
          mask: "blockingFunctions.forwardInboundCredentials.accessToken"))
      #expect(
        try await functions(server)["forwardInboundCredentials"]
          == ["accessToken": true])
    }
  }

  @Test(
    arguments: [
      (
        ["triggers": ["beforeDelete": ["functionUri": "https://f.example.com"]]],
        "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))"
      ),
      (
        ["triggers": ["beforeCreate": ["functionUri": "f.example.com"]]],
        "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))"
      ),
      (
        ["triggers": ["beforeCreate": ["functionUri": "http://f.example.com/"]]],
        "INVALID_CONFIG : functionUri is an https URL, because requests to it are about users."
      ),
      (
        [
          "triggers": [
            "beforeCreate": ["functionUri": "https://f.example.com", "onFailure": "ignore"]
          ]
        ],
        "INVALID_CONFIG : onFailure is refuse or allow."
      ),
    ] as [(JSONValue, String)])
  func `a function that can't be called is refused`(
    _ functions: JSONValue, _ error: String
  ) async throws {
    try await TestServer.with { server in
      let refused = try await server.call(patch(functions))
      #expect(refused.status == 400)
      #expect(refused.error == error)
      #expect(try await self.functions(server) == [:])
    }
  }

  @Test(arguments: ["http://127.0.0.1:8000/f", "https://localhost/f", "https://[::1]/f"])
  func `an administrator can't name the server's own machine, a developer can`(
    _ url: String
  ) async throws {
    let body: JSONValue = ["triggers": ["beforeCreate": trigger(url)]]
    try await TestServer.with { server in
      let accepted = try await server.call(patch(body))
      #expect(accepted.status == 200)
    }
    try await TestServer.withShop(domains: []) { server, _ in
      let shop = try #require(ProjectID("shop"))
      let (key, _) = try await server.services.adminKeys.create(
        for: shop, expiresAt: nil, now: TestServer.start)
      var request = TestRequest.admin(
        .patch, "v2/projects/shop/config", ["blockingFunctions": body])
      request.bearer = key.reveal()
      let refused = try await server.call(request)
      #expect(
        refused.error
          == "INVALID_CONFIG : functionUri can't be on the server's own machine. The operator can set "
          + "such an address on the command line.")
    }
  }

  @Test func `a refusal reaches the app in Google's form`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        patch(["triggers": ["beforeCreate": trigger("https://f.example.com/")]]))
      server.functions.answer(
        .refused(
          BlockingRefusal(message: "Only \"employees\".\n", status: "PERMISSION_DENIED")))
      let signUp = TestRequest.accounts(
        "signUp", ["email": "ann@example.com", "password": "notasecret"])
      let refused = try await server.call(signUp)
      #expect(refused.status == 400)
      #expect(
        refused.error
          == #"BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{"message":"Only \"employees\".","status":"PERMISSION_DENIED"}}"#
      )
      server.functions.answer(.failed(.failure))
      #expect(
        try await server.call(signUp).error
          == #"BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{"message":"An unexpected error occurred.","status":"INTERNAL"}}"#
      )
      server.functions.answer(.failed(.tooSlow))
      #expect(
        try await server.call(signUp).error
          == "BLOCKING_FUNCTION_ERROR_RESPONSE : Cloud function deadline exceeded.")
      var changes = BlockingChanges()
      changes.customClaims = .set(try CustomClaims(jsonText: #"{"role":"x"}"#))
      server.functions.answer(.allowed(changes))
      let signedUp = try await server.call(signUp)
      #expect(signedUp.claims()["role"] == "x")
    }
  }

  @Test func `a function's token is not an ID token of the user`() async throws {
    try await TestServer.with { server in
      let project = try #require(ProjectID("demo"))
      let demo = try #require(try await server.services.projects.projectForAdministrator(project))
      let signedUp = try await server.call(
        .accounts("signUp", ["email": "ann@example.com", "password": "notasecret"]))
      let uid = try #require(signedUp["localId"]?.string.flatMap { UID($0) })
      // Even one whose audience is the project's id, which is no URL.
      var functions = BlockingFunctions()
      for url in ["https://f.example.com/", project.text] {
        _ = functions.set(.beforeSignIn, url: url, now: TestServer.start)
        let token = try BlockingFunctionCodec(keys: server.services.idTokenKeys).token(
          of: BlockingQuestion(
            .beforeSignIn, about: Account(uid: uid, createdAt: TestServer.start),
            context: BlockingContext(method: "password", client: .unknown)),
          id: "evt_1", to: try #require(functions.beforeSignIn), in: demo, now: TestServer.start)
        let lookup = try await server.call(.accounts("lookup", ["idToken": .string(token)]))
        #expect(lookup.error == "INVALID_ID_TOKEN")
      }
    }
  }
}
