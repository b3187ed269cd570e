import GatehouseVerifier
import Hummingbird

/// What a request carries: Hummingbird's own things, and who it is from.
struct NotesContext: GatehouseRequestContext {
  var coreContext: CoreRequestContextStorage
  var authenticatedUser: AuthenticatedUser?

  init(source: Source) { coreContext = .init(source: source) }

  /// A note or a document, not a film.
  var maxUploadSize: Int { 64 * 1024 }
}

func routes(verifier: IDTokenVerifier) -> Router<NotesContext> {
  let notes = NoteStore()
  let users = UserDocumentStore()
  let router = Router(context: NotesContext.self)

  router.get("health") { _, _ in "ok" }

  // By the token alone: no question to the server, and whatever it did since is learnt when the
  // token ends, within an hour.
  let signedIn = router.group().add(middleware: GatehouseMiddleware(verifier: verifier))
  NoteRoutes(notes: notes).add(to: signedIn.group("notes"))

  // The server is asked, each time, whether account and session are still alive.
  let alive = router.group()
    .add(middleware: GatehouseMiddleware(verifier: verifier, asksServer: true))
  UserRoutes(users: users, notes: notes).add(
    reading: signedIn.group("users/:uid"), writing: alive.group("users/:uid"))
  return router
}
