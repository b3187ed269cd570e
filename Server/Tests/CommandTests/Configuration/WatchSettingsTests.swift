import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct WatchSettingsTests {
  private func limits(
    _ assignments: [String], connections: Int = 2048
  ) -> (limits: WatchLimits, faults: [String]) {
    var faults: [String] = []
    let sources = SettingSources(
      flags: [:], assignments: assignments, environment: [:], file: nil, faults: &faults)
    var reader = SettingReader(sources, isDevelopment: false, faults: faults)
    let limits = reader.watchLimits(connections: connections)
    return (limits, reader.faults)
  }

  @Test func `half of the connections may be watchers`() {
    #expect(limits([]).limits.watchers == 1024)
    #expect(limits([], connections: 1).limits.watchers == 0)
    #expect(limits(["watch.connections=0"]).limits.watchers == 0)
    #expect(limits([]).faults == [])
  }

  @Test func `a tenth of the connections stays free for requests`() {
    #expect(WatchLimits.most(of: 2048) == 1843)
    #expect(limits(["watch.connections=1843"]).faults == [])
    let beyond = limits(["watch.connections=1844"])
    #expect(
      beyond.faults == [
        "watch.connections 1844: a tenth of server.connections (2048) has to stay free for other "
          + "requests. Set server.connections to 2049 at least, or watch.connections to 1843 at most"
      ])
  }

  /// The number of connections in the error message is sufficient.
  @Test(arguments: [1, 9, 10, 1844, 20_000, 90_000])
  func `the connections that a fault asks for are enough`(_ wanted: Int) {
    #expect(WatchLimits.most(of: wanted + wanted / 9 + 1) >= wanted)
  }
}
