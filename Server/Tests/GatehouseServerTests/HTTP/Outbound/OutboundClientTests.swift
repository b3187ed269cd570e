import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Tests against a real server on loopback.
@Suite struct OutboundClientTests {
  @Test func `a response has its headers and body`() async throws {
    let response = try await fetch("/ok")
    #expect(response.status == 200)
    #expect(response.body == Array("hello".utf8))
    #expect(response.cacheControl == "public, max-age=600")
    #expect(response.age == 60)
  }

  @Test func `a redirect is returned, not followed`() async throws {
    try await LoopbackServer.with { server in
      let response = try await send(to: server, "/redirect")
      #expect(response.status == 302)
      #expect(server.hits.all.count == 1)
    }
  }

  @Test func `a response that is too large is refused`() async throws {
    await #expect(throws: OutboundError.tooLarge(host: "127.0.0.1", limitBytes: 256 * 1024)) {
      try await fetch("/huge")
    }
  }

  @Test(arguments: ["/huge", "/slow-body"])
  func `a body that isn't used may be of any size, and slow`(_ path: String) async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)\(path)"))
      var request = OutboundRequest(url)
      request.ignoresResponseBody = true
      let response = try await client().send(request)
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
    }
  }

  @Test(arguments: ["/slow-head", "/slow-body"])
  func `a slow response times out`(_ path: String) async throws {
    await #expect(throws: OutboundError.timedOut(host: "127.0.0.1")) {
      try await LoopbackServer.with { server in
        let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)\(path)"))
        return try await send(url, client(within: .milliseconds(300)))
      }
    }
  }

  @Test func `a response that arrives byte by byte ends at the time limit, not at twice of it`()
    async throws
  {
    try await LoopbackServer.with { server in
      // Beside a response that sends nothing: a busy machine delays both.
      async let silent = timeUntilTimeout("/slow-head", server)
      let trickling = try await timeUntilTimeout("/trickle", server)
      let longest = try await silent * 3 / 2
      #expect(trickling < longest)
    }
  }

  private func timeUntilTimeout(_ path: String, _ server: LoopbackServer) async throws -> Duration {
    let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)\(path)"))
    let start = ContinuousClock.now
    await #expect(throws: OutboundError.timedOut(host: "127.0.0.1")) {
      try await send(url, client(within: .seconds(8)))
    }
    return ContinuousClock.now - start
  }

  @Test func `a broken response is reported as broken`() async throws {
    await #expect(throws: OutboundError.broken(host: "127.0.0.1")) { try await fetch("/broken") }
  }

  @Test func `a port without a listener accepts no connection`() async throws {
    let url = try #require(OutboundURL("http://127.0.0.1:1/"))
    await #expect(throws: OutboundError.notConnected(host: "127.0.0.1")) {
      try await send(url, client())
    }
  }

  @Test func `loopback is refused in production`() async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/ok"))
      await #expect(
        throws: OutboundError.refusedAddress(host: "127.0.0.1", address: "127.0.0.1")
      ) {
        try await send(url, OutboundClient(rule: OutboundRule(), clock: { Date() }))
      }
      #expect(server.hits.all.isEmpty)
    }
  }

  @Test(arguments: ["127.1", "2130706433", "0x7f000001", "localhost"])
  func `other names of loopback are refused too`(_ host: String) async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("https://\(host):\(server.port)/ok"))
      let client = OutboundClient(rule: OutboundRule(), clock: { Date() })
      let error = await #expect(throws: OutboundError.self) { try await send(url, client) }
      guard case .refusedAddress(host, _) = error else {
        Issue.record("\(host): \(String(describing: error))")
        return
      }
      #expect(server.hits.all.isEmpty)
    }
  }

  @Test func `the connection goes to the checked address, and Host has the name`()
    async throws
  {
    try await LoopbackServer.with { server in
      // The name doesn't exist: only the override can lead to the server.
      let url = try #require(OutboundURL("http://idp.invalid:\(server.port)/ok"))
      let resolver = FixedResolver(addresses: ["127.0.0.1"])
      let response = try await send(url, client(resolver))
      #expect(response.status == 200)
      #expect(server.hits.all == ["/ok idp.invalid:\(server.port)"])
    }
  }

  @Test func `one private address among public ones refuses the host`() async throws {
    let url = try #require(OutboundURL("https://idp.invalid/"))
    let resolver = FixedResolver(addresses: ["8.8.8.8", "10.0.0.1"])
    await #expect(
      throws: OutboundError.refusedAddress(host: "idp.invalid", address: "10.0.0.1")
    ) { try await send(url, client(resolver)) }
  }

  @Test func `after an address that accepts no connection the next is tried`() async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("http://idp.invalid:\(server.port)/ok"))
      let resolver = FixedResolver(addresses: ["127.0.0.2", "127.0.0.1"])
      #expect(try await send(url, client(resolver)).status == 200)
    }
  }

  @Test func `no encoding of the response is asked for`() async throws {
    let response = try await fetch("/accept-encoding")
    #expect(String(decoding: response.body, as: UTF8.self) == "identity")
  }

  @Test func `a compressed response is an error that says so, a refusal keeps its status`()
    async throws
  {
    await #expect(throws: OutboundError.compressed(host: "127.0.0.1")) { try await fetch("/gzip") }
    #expect(try await fetch("/gzip-400").status == 400)
  }

  @Test func `a byte order mark isn't a part of the body`() async throws {
    #expect(try await fetch("/byte-order-mark").body == Array("hello".utf8))
  }

  @Test func `a form is posted, escaped`() async throws {
    try await LoopbackServer.with { server in
      let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/form"))
      let client = client()
      let response = try await client.send(
        OutboundRequest(url, form: [.init("a", "1 &=+\u{e9}"), .init("b", Secret("x"))]))
      #expect(String(decoding: response.body, as: UTF8.self) == "a=1%20%26%3D%2B%C3%A9&b=x")
    }
  }

  @Test func `calls beyond the limit are refused at once`() async throws {
    try await LoopbackServer.with { server in
      var limits = OutboundClient.Limits()
      limits.concurrentCalls = 0
      let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/ok"))
      let client = OutboundClient(
        rule: OutboundRule(allowsLoopback: true), limits: limits, clock: { Date() })
      await #expect(throws: OutboundError.busy) { try await send(url, client) }
    }
  }

  @Test func `the last calls are reserved for keys`() async throws {
    try await LoopbackServer.with { server in
      var limits = OutboundClient.Limits()
      limits.duration = .seconds(60)
      limits.concurrentCalls = 1
      limits.callsReservedForKeys = 1
      let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/ok"))
      let client = OutboundClient(
        rule: OutboundRule(allowsLoopback: true), limits: limits, clock: { Date() })
      await #expect(throws: OutboundError.busy) {
        try await client.send(OutboundRequest(url))
      }
      var request = OutboundRequest(url)
      request.isForKeys = true
      #expect(try await client.send(request).status == 200)
    }
  }

  /// Each of the bad project's calls waits until the test ends.
  @Test func `a project whose hosts don't respond leaves calls to another project`() async throws {
    try await LoopbackServer.with { server in
      var limits = OutboundClient.Limits()
      limits.duration = .seconds(60)
      limits.concurrentCalls = 8
      limits.callsReservedForKeys = 0
      let client = OutboundClient(
        rule: OutboundRule(allowsLoopback: true), limits: limits,
        resolver: FixedResolver(addresses: ["127.0.0.1"]), clock: { Date() })
      func send(_ path: String, _ host: String, _ project: String) async throws -> Int {
        let url = try #require(OutboundURL("http://\(host):\(server.port)\(path)"))
        var request = OutboundRequest(url)
        request.project = ProjectID(project)
        return try await client.send(request).status
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            _ = try? await send("/slow-head", "host\(number).invalid", "bad-project")
          }
        }
        while server.hits.all.count < 4 { await Task.yield() }
        await #expect(throws: OutboundError.busy) {
          try await send("/ok", "host5.invalid", "bad-project")
        }
        let status = try await send("/ok", "idp.invalid", "good-project")
        #expect(status == 200)
        group.cancelAll()
      }
    }
  }

  private func fetch(_ path: String) async throws -> OutboundResponse {
    try await LoopbackServer.with { try await send(to: $0, path) }
  }

  private func send(to server: LoopbackServer, _ path: String) async throws -> OutboundResponse {
    try await send(#require(OutboundURL("http://127.0.0.1:\(server.port)\(path)")), client())
  }

  private func send(_ url: OutboundURL, _ client: OutboundClient) async throws -> OutboundResponse {
    try await client.send(OutboundRequest(url))
  }

  /// A busy machine responds slowly, so only the tests of slowness have short limits.
  private func client(
    _ resolver: any HostResolver = SystemResolver(), within duration: Duration = .seconds(60)
  ) -> OutboundClient {
    var limits = OutboundClient.Limits()
    limits.duration = duration
    return OutboundClient(
      rule: OutboundRule(allowsLoopback: true), limits: limits, resolver: resolver,
      clock: { Date() })
  }
}

/// Returns the same addresses for every host.
private struct FixedResolver: HostResolver {
  let addresses: [String]

  func addresses(
    of host: String, for project: ProjectID?, timeout: Duration
  ) async throws(OutboundError) -> [IPAddress] { addresses.compactMap { IPAddress($0) } }
}
