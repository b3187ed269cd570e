import NIOCore
import NIOPosix
import Testing

/// A development server, where every caller is an administrator, is reachable only from this
/// machine, unless its user wants otherwise.
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

  /// An address can't be made to lead here: 10.0.2.2 is the machine on which the Android emulator runs.
  @Test(arguments: [
    "localhost", "127.0.0.1", "[::1]", "LOCALHOST:1234", "10.0.2.2:9099", "[fe80::1]:9099",
  ])
  func `loopback names and addresses are accepted`(host: String) async throws {
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

/// `--dev --expose-to-network`. A proxy on this machine stands for the network: it names the client's address.
@Suite(
  .developmentServer(
    "--expose-to-network", "--public-url", "http://gatehouse:9099", "--set",
    "server.trustedProxies=127.0.0.1", "--set", "dev.networkToken=a-token-of-the-tests"))
struct ExposedDevelopmentTests {
  private static let network = ("x-forwarded-for", "192.168.1.7")
  private static let thisMachine = ("x-forwarded-for", "127.0.0.1")
  private static let token = ("authorization", "Bearer a-token-of-the-tests")
  private static let owner = ("authorization", "Bearer owner")

  @Test func `an app on another machine signs a user up`() async throws {
    let server = try suiteServer()
    let made = try await HTTP.post(
      "\(server.baseURL)/v1/accounts:signUp?key=k", ["returnSecureToken": true],
      headers: [Self.network, ("host", "192.168.1.2:9099")])
    #expect(made.verdict == "200")
  }

  @Test(arguments: [
    (owner, 401), (("authorization", "Bearer OWNER"), 401), (token, 200),
  ])
  func `from another machine, only the token is the administrator's`(
    _ credential: (String, String), _ status: Int
  ) async throws {
    let server = try suiteServer()
    let url = "\(server.baseURL)/v1/projects/demo/accounts:batchGet"
    #expect(try await HTTP.get(url, headers: [Self.network, credential]).status == status)
  }

  @Test func `on this machine, owner is the administrator`() async throws {
    let server = try suiteServer()
    let url = "\(server.baseURL)/v1/projects/demo/accounts:batchGet"
    #expect(try await HTTP.get(url, headers: [Self.thisMachine, Self.owner]).status == 200)
    // The proxy didn't say whose request it is.
    #expect(try await HTTP.get(url, headers: [Self.owner]).status == 401)
  }

  @Test(arguments: [
    "emulator/v1/projects/demo/oobCodes", "emulator/v1/projects/demo/verificationCodes",
    "emulator/v1/projects/demo/mailbox", "emulator/v1/projects/demo/config", "mailbox",
  ])
  func `another machine needs the token to read what users got`(_ path: String) async throws {
    let server = try suiteServer()
    let url = "\(server.baseURL)/\(path)"
    #expect(try await HTTP.get(url, headers: [Self.thisMachine]).status == 200)
    #expect(try await HTTP.get(url, headers: [Self.network]).status == 401)
    #expect(try await HTTP.get(url, headers: [Self.network, Self.owner]).status == 401)
    #expect(try await HTTP.get(url, headers: [Self.network, Self.token]).status == 200)
  }

  @Test(arguments: [
    ("gatehouse:9099", 200), ("192.168.1.2:9099", 200), ("wpad:9099", 403), ("evil.local", 403),
    ("evil.example.com", 403),
  ])
  func `the host of the public URL is accepted, other names are refused`(
    _ host: String, _ status: Int
  ) async throws {
    let server = try suiteServer()
    #expect(
      try await HTTP.get(server.baseURL + "/readyz", headers: [("host", host)]).status == status)
  }

  @Test func `a page of the same host may administer, a page of another may not`() async throws {
    let server = try suiteServer()
    let url = "\(server.baseURL)/v1/projects/demo/accounts:batchGet"
    for (origin, status) in [
      ("http://192.168.1.2:5173", 200), ("http://192.168.1.3:5173", 403), ("null", 403),
      ("https://evil.example.com", 403),
    ] {
      let reply = try await HTTP.get(
        url,
        headers: [Self.network, Self.token, ("host", "192.168.1.2:9099"), ("origin", origin)])
      #expect(reply.status == status, "\(origin)")
    }
  }

  @Test func `without a token of its own, the server prints a new one`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(arguments: ["--expose-to-network"]), in: folder)
      defer { server.process.kill() }
      let url = "\(server.baseURL)/v1/projects/demo/accounts:batchGet"
      #expect(try await HTTP.get(url, headers: [Self.owner]).status == 200)
      // Whoever is behind a proxy on this machine isn't on this machine.
      #expect(try await HTTP.get(url, headers: [Self.owner, Self.thisMachine]).status == 401)
      let isPrinted = try await Deadline.wait {
        server.process.output.contains("From other machines, the administrator's token is dev_")
      }
      #expect(isPrinted)
    }
  }
}
