import GatehouseServer
import ServiceLifecycle

/// Sends spans every two seconds, and those of the last requests at the end.
struct TraceSending: Service {
  let tracer: Tracer?

  private static let pause = Duration.seconds(2)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await tracer?.send()
        try? await Task.sleep(for: Self.pause)
      }
    }
    await tracer?.send()
  }
}
