import NIOCore
import NIOPosix

/// A TCP port on loopback on which no program listens.
///
/// Another program may take it before it is used, so use it only for programs that can't choose a
/// free port themselves.
enum FreePort {
  static func next() async throws -> Int {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    let port = channel.localAddress?.port
    try await channel.close()
    guard let port else { throw MissingTool("The system gave no free port.") }
    return port
  }
}
