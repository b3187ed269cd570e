import GatehouseSimulator
import HTTPTypes
import Testing

@Suite struct SimulatorTests {
  @Test func `a free port is selected and reported`() async throws {
    try await withSimulator { client in
      let port = try #require(client.boundPort)
      #expect(port > 0)
      #expect(client.baseURL == "http://127.0.0.1:\(port)")
    }
  }

  @Test func `a public URL replaces the address`() async throws {
    try await withSimulator {
      $0.publicURL = "https://sim.example.com"
    } _: { client in
      let document = try await client.get("/oidc/.well-known/openid-configuration").json
      #expect(document.string("issuer") == "https://sim.example.com/oidc")
      #expect(document.string("jwks_uri") == "https://sim.example.com/oidc/jwks")
    }
  }

  @Test func `the root lists the endpoints`() async throws {
    try await withSimulator { client in
      let index = try await client.get("/")
      #expect(index.json.string("baseURL") == client.baseURL)
      #expect(index.json.objects("endpoints").count > 10)
      let page = try await client.get("/", headers: [.accept: "text/html"])
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains("/apple/native-sign-in"))
    }
  }

  @Test func `an unknown path is an error in JSON`() async throws {
    try await withSimulator { client in
      let reply = try await client.get("/apple/auth/nothing")
      #expect(reply.status == 404)
      #expect(reply.error == "not_found")
    }
  }

  @Test func `requests are counted and listed without their contents`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let code = try #require(signIn.string("authorizationCode"))
      _ = try await client.appleExchange(code)
      _ = try await client.appleExchange(code)
      _ = try await client.get(
        "/apple/credential-state", query: ["client_id": "com.example.app", "user": "secret-user"])
      let log = try await client.get("/simulator/requests")
      let counts = log.json.object("counts")
      #expect(counts?.integer("/apple/auth/token") == 2)
      #expect(counts?.integer("/apple/native-sign-in") == 1)
      #expect(counts?.names.contains("/simulator/requests") == false)
      let last = log.json.objects("last")
      #expect(last.map { $0.integer("status") } == [200, 200, 400, 200])
      #expect(last.first?.string("method") == "POST")
      #expect(last.first?.string("time") == "2025-06-15T15:06:40Z")
      #expect(!log.text.contains("secret-user"))
      #expect(!log.text.contains(code))
      _ = try await client.send(.delete, "/simulator/requests")
      #expect(try await client.get("/simulator/requests").json.objects("last").isEmpty)
    }
  }

  @Test func `a long body is refused`() async throws {
    try await withSimulator {
      $0.limits.bodyBytes = 1_000
    } _: { client in
      let name = String(repeating: "a", count: 1_000)
      let reply = try await client.post("/simulator/persons", json: "{\"id\":\"\(name)\"}")
      #expect(reply.status == 413)
      #expect(reply.error == "request_too_large")
    }
  }

  @Test func `the oldest code is removed when there are too many`() async throws {
    try await withSimulator {
      $0.limits.codes = 2
    } _: { client in
      var codes: [String?] = []
      for _ in 1...3 { codes.append(try await client.appleSignIn().string("authorizationCode")) }
      #expect(try await client.appleExchange(codes[0]).error == "invalid_grant")
      #expect(try await client.appleExchange(codes[1]).status == 200)
      #expect(try await client.appleExchange(codes[2]).status == 200)
    }
  }

  @Test(arguments: [
    ("127.0.0.1:9100", 200), ("localhost", 200), ("[::1]:9100", 200), ("sim.localhost", 200),
    ("sim.internal:9100", 200), ("rebound.example.com", 421), ("127.0.0.1.example.com", 421),
    ("", 421),
  ])
  func `only loopback names and allowed hosts are accepted`(
    host: String, status: Int
  ) async throws {
    try await withSimulator {
      $0.allowedHosts = ["sim.internal"]
    } _: { client in
      let reply = try await client.send(.get, "/simulator/persons", authority: host)
      #expect(reply.status == status)
      #expect(reply.error == (status == 200 ? nil : "host_not_allowed"))
    }
  }

  @Test(arguments: [
    "/simulator/persons", "/apple/native-sign-in", "/google/native-sign-in", "//simulator/persons",
    "/oidc/native-sign-in/",
  ])
  func `a page of another site can't act`(path: String) async throws {
    try await withSimulator { client in
      let body = #"{"id":"carol"}"#
      let foreign = try await client.send(
        .post, path, headers: [.origin: "https://evil.example.com"], body: body)
      #expect(foreign.status == 403)
      #expect(foreign.error == "origin_not_allowed")
      let null = try await client.send(.post, path, headers: [.origin: "null"], body: body)
      #expect(null.error == "origin_not_allowed")
      let own = try await client.send(
        .post, path, headers: [.origin: "http://localhost:3000"], body: body)
      #expect(own.error != "origin_not_allowed")
    }
  }

  @Test func `clients are listed without their secrets`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"google","client_id":"web","client_secret":"top-secret"}"#)
      let list = try await client.get("/simulator/clients")
      #expect(list.json.objects("clients").first?.bool("has_client_secret") == true)
      #expect(!list.text.contains("top-secret"))
      let wrong = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"apple","client_id":"web","client_secret":"x"}"#)
      #expect(wrong.status == 400)
      #expect(wrong.error == "invalid_request")
    }
  }
}
