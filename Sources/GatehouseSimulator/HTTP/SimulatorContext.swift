import Hummingbird

/// What a request brings along. Bodies are read by ``RequestForm`` and ``RequestBodyMembers``, which
/// have the bound.
struct SimulatorContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
