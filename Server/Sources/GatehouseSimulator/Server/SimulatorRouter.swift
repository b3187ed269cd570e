import Hummingbird
import Logging

/// All endpoints on one router.
struct SimulatorRouter: Sendable {
  let store: SimulatorStore
  let logger: Logger

  func router() -> Router<SimulatorContext> {
    let router = Router(context: SimulatorContext.self)
    // The log must see the status that the client gets, so errors become responses before it.
    router.add(middleware: RequestLogMiddleware(store: store))
    router.add(middleware: ErrorAnswerMiddleware(logger: logger))
    router.add(middleware: LoopbackGuardMiddleware(store: store))
    router.add(middleware: FaultMiddleware(store: store))
    for kind in Provider.kinds { kind.addRoutes(store, to: router) }
    TestControl(store: store).add(to: router.group("simulator"))
    PageActions(store: store).add(to: router.group("simulator/page"))
    // The last one, because it lists the others.
    IndexRoute(store: store, router: router).add(to: router)
    return router
  }
}
