import Foundation
import Synchronization

/// The simulator's state behind a lock, with its inputs from outside: the time and the address.
final class SimulatorStore: Sendable {
  let configuration: SimulatorConfiguration
  private let state: Mutex<SimulatorState>
  private let port = Mutex<Int?>(nil)

  init(configuration: SimulatorConfiguration) {
    self.configuration = configuration
    self.state = Mutex(
      SimulatorState(
        persons: configuration.persons, limits: configuration.limits,
        dialogMode: configuration.dialogMode,
        makeSigningKey: configuration.makeSigningKey))
  }

  /// Runs `body` while it holds the lock. Don't sign tokens in `body`: a signature takes half a
  /// millisecond.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout SimulatorState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) in try body(&state) }
  }

  var now: Date { configuration.now() }

  var boundPort: Int? { port.withLock { $0 } }

  func didBind(port bound: Int?) {
    port.withLock { $0 = bound }
  }

  var baseURL: String {
    if let publicURL = configuration.publicURL { return publicURL }
    let host = configuration.host
    let bracketed = host.contains(":") ? "[\(host)]" : host
    return "http://\(bracketed):\(boundPort ?? configuration.port)"
  }

  var listensOnLoopback: Bool { configuration.listensOnLoopback }
}
