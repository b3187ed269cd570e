import Logging
import ServiceLifecycle

/// Logs that the server was asked to end.
struct ShutdownLog: Service {
  let logger: Logger
  let graceSeconds: Int

  func run() async throws {
    try? await gracefulShutdown()
    logger.info(
      "stopping; requests in progress are finished", metadata: ["seconds": "\(graceSeconds)"])
  }
}
