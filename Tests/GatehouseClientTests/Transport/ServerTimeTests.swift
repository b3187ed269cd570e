import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct ServerTimeTests {
  /// The header of a server whose clock is ahead.
  private static func answer(
    _ response: any WireResponse, at date: Date
  ) -> TransportResponse {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return TransportResponse(
      status: 200, headers: ["date": formatter.string(from: date)], body: Data(response.json()))
  }

  @Test(arguments: [-7200, -61, 0, 3600, 34_560_000] as [Double])
  func `an answer's date is the server's time`(offset: Double) async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in
      Self.answer(Answers.idp(now: bench.clock.now + offset), at: bench.clock.now + offset)
    }
    try await bench.signedIn()
    #expect(bench.client.serverNow == bench.clock.now + offset)
    #expect(try bench.otherProcess().load() != .signedOut)
  }

  @Test func `with a wrong clock a valid token stays valid, across launches`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in
      // The device is two hours ahead.
      Self.answer(Answers.idp(now: bench.clock.now - 7200), at: bench.clock.now - 7200)
    }
    let user = try await bench.signedIn()
    _ = try await user.idToken()
    let later = try bench.otherProcess()
    _ = try await later.currentUser?.idToken()
    #expect(bench.server.requests("v1/token").isEmpty)
    #expect(later.serverNow == bench.clock.now - 7200)
  }

  @Test func `without a date a new token shows the time`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") { Answers.idp(now: bench.clock.now - 7200) }
    try await bench.signedIn()
    #expect(bench.client.serverNow == bench.clock.now - 7200)
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 40 Nov 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ])
  func `an invalid date is ignored`(header: String) async throws {
    let bench = try Bench()
    bench.server.on("accounts:lookup") { (_) throws(TransportFault) in
      TransportResponse(
        status: 200, headers: ["date": header],
        body: Data(LookupResponse(users: [Answers.alice()]).json()))
    }
    try await bench.signedIn()
    #expect(bench.client.serverNow == bench.clock.now)
  }
}
