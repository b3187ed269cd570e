import Hummingbird

/// The context of a request. ``RequestForm`` and ``RequestBodyMembers`` read the body, and apply
/// the size limit.
struct SimulatorContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Whether the request comes from this machine.
  let isFromThisMachine: Bool

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    isFromThisMachine =
      source.channel.remoteAddress?.ipAddress.map { Loopback.isLoopback(host: $0) } ?? true
  }
}
