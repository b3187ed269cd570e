import GatehouseVerifier
import Hummingbird

/// The context of a request: Hummingbird's values, and the authenticated user.
struct NotesContext: GatehouseRequestContext {
  var coreContext: CoreRequestContextStorage
  var authenticatedUser: AuthenticatedUser?

  init(source: Source) { coreContext = .init(source: source) }

  /// Enough for a note or a document: 64 KiB.
  var maxUploadSize: Int { 64 * 1024 }
}

func routes(verifier: IDTokenVerifier, webhook: WebhookVerifier?) -> Router<NotesContext> {
  let notes = NoteStore()
  let users = UserDocumentStore()
  let router = Router(context: NotesContext.self)

  router.get("health") { _, _ in "ok" }

  if let webhook {
    EventRoutes(verifier: webhook, users: users, notes: notes).add(to: router)
  }

  // Checks only the token, without a request to the server. A deleted account or an ended session
  // is noticed when the token expires, within an hour.
  let signedIn = router.group().add(middleware: GatehouseMiddleware(verifier: verifier))
  NoteRoutes(notes: notes).add(to: signedIn.group("notes"))

  // Asks the server for each request whether the account and the session still exist.
  let alive = router.group()
    .add(middleware: GatehouseMiddleware(verifier: verifier, asksServer: true))
  UserRoutes(users: users, notes: notes).add(
    reading: signedIn.group("users/:uid"), writing: alive.group("users/:uid"))
  return router
}
