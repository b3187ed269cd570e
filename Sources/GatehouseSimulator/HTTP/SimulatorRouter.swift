import Hummingbird
import Logging

/// All endpoints on one router.
struct SimulatorRouter: Sendable {
  let store: SimulatorStore
  let logger: Logger

  func router() -> Router<SimulatorContext> {
    let router = Router(context: SimulatorContext.self)
    // The log sees what the client sees, so errors become answers inside of it.
    router.add(middleware: RequestLogMiddleware(store: store))
    router.add(middleware: ErrorAnswerMiddleware(logger: logger))
    router.add(middleware: LoopbackGuardMiddleware(store: store))
    router.add(middleware: FaultMiddleware(store: store))
    IndexRoute(store: store).add(to: router)
    AppleRoutes(store: store).add(to: router.group("apple"))
    StandardRoutes(store: store, provider: .google, paths: .google).add(to: router.group("google"))
    FacebookRoutes(store: store).add(to: router.group("facebook"))
    StandardRoutes(store: store, provider: .oidc, paths: .oidc).add(to: router.group("oidc"))
    IssuerRoutes(store: store).add(to: router.group("oidc/{issuer}"))
    ControlRoutes(store: store).add(to: router.group("simulator"))
    return router
  }
}
