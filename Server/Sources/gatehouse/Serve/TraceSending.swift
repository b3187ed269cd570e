import GatehouseServer
import ServiceLifecycle

/// Sends spans every two seconds, and those of the last requests at the end.
struct TraceSending: Service {
  /// Nil: nothing is sent.
  let tracer: Tracer?

  private static let pause = Duration.seconds(2)

  func run() async throws {
    guard let tracer else {
      try await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await tracer.send()
        try? await Task.sleep(for: Self.pause)
      }
    }
    await tracer.send()
  }
}
