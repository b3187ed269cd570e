import GatehouseServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the settings again on SIGHUP, applies what a running server can change, and names what only a restart
/// changes. A certificate and the master key's file are read again by their own services.
struct Reload: Service {
  typealias Reader =
    @Sendable () throws -> (
      configuration: ServerConfiguration, settings: [ServerHost.Setting]
    )

  /// The settings with which the server started.
  let settings: [ServerHost.Setting]
  let logLevel: LogLevel
  let logger: Logger
  let read: Reader

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var known = settings
      for await _ in await UnixSignalsSequence(trapping: .sighup) {
        if let fresh = reload(known) { known = fresh }
      }
    }
  }

  /// Those that differ. A secret is not shown, so it doesn't differ.
  private static func keys(
    of fresh: [ServerHost.Setting], notIn known: [ServerHost.Setting]
  ) -> [String] {
    let former = Dictionary(known.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    return fresh.filter { former[$0.key] != $0.value }.map(\.key)
  }

  /// - Returns: Nil if the settings have faults: then none is applied.
  private func reload(_ known: [ServerHost.Setting]) -> [ServerHost.Setting]? {
    do {
      let (configuration, fresh) = try read()
      logLevel.set(configuration.logLevel)
      let changed = Self.keys(of: fresh, notIn: known)
      let waiting = Self.keys(of: fresh, notIn: settings).filter { $0 != Settings.logLevel.key }
      var metadata: Logger.Metadata = [:]
      if !changed.isEmpty { metadata["changed"] = "\(changed.joined(separator: " "))" }
      if !waiting.isEmpty { metadata["needs_restart"] = "\(waiting.joined(separator: " "))" }
      logger.notice("the settings were read again", metadata: metadata)
      return fresh
    } catch {
      logger.error(
        "the settings have faults; the former stay in use", metadata: ["error": "\(error)"])
      return nil
    }
  }
}
