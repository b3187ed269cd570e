import NIOCore
import NIOPosix
import Testing

/// A development server, where every caller is an administrator, is reachable only from this
/// machine.
@Suite(.developmentServer)
struct DevelopmentSafetyTests {
  private static let page = ("origin", "https://evil.example.com")

  @Test func `a web page can't act as an administrator`() async throws {
    let server = try suiteServer()
    let body: JSON = ["localId": ["x"]]
    let own = try await server.administrator.call(.post, "accounts:lookup", body)
    #expect(own.verdict == "200")
    let refused = try await server.administrator.call(
      .post, "accounts:lookup", body, headers: [Self.page])
    #expect(refused.status == 403)
    #expect(refused.header("access-control-allow-origin") == nil)
  }

  @Test(arguments: [
    "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup",
    "/v2/projects/demo/config", "/emulator/v1/projects/demo/accounts",
  ])
  func `a preflight for an administrator's path gets no grant`(path: String) async throws {
    let server = try suiteServer()
    let reply = try await HTTP.send(
      .options, server.baseURL + path,
      headers: [
        Self.page, ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type"),
      ])
    #expect(reply.header("access-control-allow-origin") == nil)
    #expect(reply.header("access-control-allow-headers") == nil)
  }

  @Test func `a web page can't clear its accounts`() async throws {
    try await GatehouseServer.with { server in
      let made = try await server.app.signUp(Unique.email(), "a long password")
      let uid = try #require(made.json["localId"].string)
      let url = "\(server.baseURL)/emulator/v1/projects/demo/accounts"
      let refused = try await HTTP.send(.delete, url, headers: [Self.page])
      #expect(refused.status == 403)
      #expect(try await server.administrator.account(uid).isNull == false)
      #expect(try await HTTP.send(.delete, url).status == 200)
      #expect(try await server.administrator.account(uid).isNull)
    }
  }

  @Test func `a web page may call apps' methods, without Authorization`() async throws {
    let server = try suiteServer()
    let url = "\(server.baseURL)/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"
    let preflight = try await HTTP.send(
      .options, url,
      headers: [
        Self.page, ("access-control-request-method", "POST"),
        (
          "access-control-request-headers",
          "authorization,content-type,x-client-version,x-firebase-gmpid"
        ),
      ])
    #expect(preflight.header("access-control-allow-origin") != nil)
    let granted = preflight.header("access-control-allow-headers")?.lowercased() ?? ""
    #expect(granted.contains("x-client-version"))
    #expect(!granted.contains("authorization"))
    let made = try await HTTP.post(url, ["returnSecureToken": true], headers: [Self.page])
    #expect(made.verdict == "200")
    #expect(made.header("access-control-allow-origin") != nil)
    let asOwner = try await HTTP.post(
      url, ["localId": "chosen-by-a-page"],
      headers: [Self.page, ("authorization", "Bearer owner")])
    #expect(asOwner.status == 403)
  }

  @Test(arguments: ["evil.example.com", "127.0.0.1.evil.example.com:9099", "localhost.evil.com"])
  func `a Host other than a loopback name is refused everywhere`(host: String) async throws {
    let server = try suiteServer()
    for path in ["/readyz", "/.well-known/jwks.json", "/v1/projects?key=k"] {
      #expect(try await HTTP.get(server.baseURL + path).status == 200)
      let refused = try await HTTP.get(server.baseURL + path, headers: [("host", host)])
      #expect(refused.status == 403)
    }
    let simulator = try await HTTP.get(
      server.simulatorURL + "/simulator/persons", headers: [("host", host)])
    #expect(simulator.status >= 400)
  }

  @Test(arguments: ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:1234"])
  func `loopback names are accepted`(host: String) async throws {
    let server = try suiteServer()
    let reply = try await HTTP.get(server.baseURL + "/readyz", headers: [("host", host)])
    #expect(reply.status == 200)
  }

  @Test(arguments: ["0.0.0.0", "::", "192.0.2.1"])
  func `it refuses to listen anywhere but on loopback`(host: String) async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        [
          "serve", "--dev", "--host", host, "--port", "0", "--simulator-port", "0", "--data",
          folder.path + "/data",
        ], in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("loopback"))
    }
  }

  @Test func `the machine's other addresses don't reach it`() async throws {
    let server = try suiteServer()
    let ports = [server.baseURL, server.simulatorURL]
      .compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }
    #expect(ports.count == 2)
    let addresses = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
      .filter { $0 != "127.0.0.1" && $0 != "::1" && !$0.contains("%") && !$0.hasPrefix("fe80") }
    for address in addresses {
      for port in ports {
        await #expect(throws: (any Error).self, "\(address) port \(port)") {
          let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(2)).connect(host: address, port: port).get()
          try await channel.close()
        }
      }
    }
  }
}
