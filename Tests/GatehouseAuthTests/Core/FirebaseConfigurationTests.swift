import Foundation
import GatehouseCore
import Testing

@Suite struct FirebaseConfigurationTests {
  @Test func `the level is notice until the app sets another`() {
    let configuration = FirebaseConfiguration()
    #expect(configuration.loggerLevel() == .notice)
    configuration.setLoggerLevel(.debug)
    #expect(configuration.loggerLevel() == .debug)
    #expect(FirebaseConfiguration.shared === FirebaseConfiguration.shared)
  }

  @Test func `the raw values of the levels are those of Google's SDK`() {
    let levels: [FirebaseLoggerLevel] = [.error, .warning, .notice, .info, .debug]
    #expect(levels.map(\.rawValue) == [3, 4, 5, 6, 7])
    #expect(FirebaseLoggerLevel.min == .error && FirebaseLoggerLevel.max == .debug)
  }

  @Test func `the version is the newest of the changelog`() throws {
    let changelog = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../CHANGELOG.md"),
      encoding: .utf8)
    let newest = changelog.split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(newest == "## \(FirebaseVersion())")
  }
}
