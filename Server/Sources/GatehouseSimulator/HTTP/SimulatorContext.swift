import Hummingbird

/// The context of a request. ``RequestForm`` and ``RequestBodyMembers`` read the body, and apply
/// the size limit.
struct SimulatorContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
