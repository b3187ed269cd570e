import GatehouseServer
import ServiceLifecycle

/// Closes something when the group shuts down.
struct Closing: Service {
  let close: @Sendable () async -> Void

  init(_ close: @escaping @Sendable () async -> Void) { self.close = close }

  func run() async throws {
    try? await gracefulShutdown()
    await close()
  }
}

/// Work that continues until the group shuts down.
struct Background: Service {
  let work: @Sendable () async -> Void

  init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  func run() async throws {
    await cancelWhenGracefulShutdown { await work() }
  }
}

/// Executes the outbox. A shutdown ends its pauses, but not the work in progress.
struct OutboxService: Service {
  let worker: OutboxWorker

  func run() async throws {
    await worker.run(
      while: { !Task.isShuttingDownGracefully && !Task.isCancelled },
      pause: { duration in
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: duration) }
      })
  }
}

/// Checks kept refresh tokens. A shutdown ends its pauses, but not the checks in progress.
struct TokenCheckService: Service {
  let checker: TokenChecker

  func run() async throws {
    await checker.run(
      while: { !Task.isShuttingDownGracefully && !Task.isCancelled },
      pause: { duration in
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: duration) }
      })
  }
}
