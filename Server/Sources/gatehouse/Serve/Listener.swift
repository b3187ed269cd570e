import Foundation
import NIOCore
import ServiceLifecycle

/// A server on a port. If it can't listen, the error says what to do.
struct Listener: Service {
  let service: any Service
  let host: String
  let port: Int
  /// The flag that sets the port, such as `--port`.
  let flag: String

  func run() async throws {
    do {
      try await service.run()
    } catch let error as IOError {
      guard let remedy = remedy(error.errnoCode) else { throw error }
      throw CommandFailure("can't listen on \(host), port \(port): \(remedy)")
    } catch is SocketAddressError.UnknownHost {
      throw CommandFailure("can't listen on \(host): it is neither an address nor a known name")
    }
  }

  private func remedy(_ code: CInt) -> String? {
    switch code {
    case EADDRINUSE:
      "another process listens there already. Stop it, or choose another port with \(flag)"
    case EACCES: "this user has no permission. Choose a port of 1024 or more with \(flag)"
    case EADDRNOTAVAIL: "this machine doesn't have that address. Give one that it has"
    default: nil
    }
  }
}
