public import GatehouseCore
import Dispatch
public import Foundation
public import GatehouseClient
import GatehouseProtocol

/// Signs users in to an app's project, keeps the session, and reports who is signed in.
///
/// There is one per `FirebaseApp`. It is safe to use from every thread. Each asynchronous function
/// has an `async` form and one with a completion handler. The handler is called on the main actor,
/// exactly once, after the listeners for the same change. Errors are `NSError`s of the domain
/// ``AuthErrors/domain``, with the codes of ``AuthErrorCode``.
@preconcurrency
open class Auth: NSObject, @unchecked Sendable {  // `state` and `listeners` lock what changes.
  let state: Locked<AuthState>
  let listeners = Listeners()

  /// The app of this `Auth`. Nil after the app is released.
  public internal(set) weak var app: FirebaseApp?

  /// The app's name, which an archived user contains.
  let appName: String
  let maker: any ClientMaking

  package init(app: FirebaseApp?, maker: any ClientMaking) {
    self.app = app
    appName = app?.name ?? ""
    self.maker = maker
    state = Locked(AuthState(userAccessGroup: maker.rememberedGroup()))
    super.init()
    let occasions = StoreOccasions(app?.services.notifications ?? .default) { [weak self] in
      DispatchQueue.global().async { [weak self] in self?.readAgain() }
    }
    state.withLock { $0.occasions = occasions }
  }

  // MARK: The project

  /// The `Auth` of the default app.
  ///
  /// Call `FirebaseApp.configure()` first. Without an app this stops the program, as Google's SDK
  /// does: it is a mistake of the developer.
  open class func auth() -> Auth {
    let app = FirebaseApp.app()
    precondition(app != nil, "Call FirebaseApp.configure() before Auth.auth().")
    return auth(app: unsafe app.unsafelyUnwrapped)
  }

  /// The `Auth` of `app`: the same object until `app` is deleted.
  open class func auth(app: FirebaseApp) -> Auth {
    AuthRegistry.shared.auth(of: app)
  }

  // MARK: The signed-in user

  /// The signed-in user: the same object during one session.
  ///
  /// Reads the store, but sends no request. Also nil while the store can't be read, such as before
  /// the device is first unlocked after its start. Then each access tries to read it again, and
  /// listeners are called when it succeeds.
  public var currentUser: User? {
    // An unreadable store doesn't mean that no user is signed in: the next call tries again.
    if case .loading = client.state { load() }
    return client.currentUser.map { user(for: $0) }
  }

  private func readAgain() {
    // Before the first use, the app may still choose an emulator.
    if state.withLock({ $0.client != nil }) { load() }
  }

  private func load() {
    // Until the device is first unlocked, the group of the last launch isn't known.
    let (group, awaited) = state.withLock { ($0.userAccessGroup, $0.awaitedGroup) }
    if group == nil, let wanted = awaited ?? maker.rememberedGroup() {
      do {
        return try useUserAccessGroup(wanted)
      } catch {
        // This app's own store would say that no user is signed in.
        if state.withLock({ $0.awaitedGroup != nil }) { return }
      }
    }
    do throws(ClientError) { try client.load() } catch {}
  }

  /// The client behind this `Auth`, for functions that Firebase's API doesn't have, such as asking
  /// the user before an account is created. Both have the same session.
  public var gatehouseClient: AuthClient { client }

  /// The uid of the signed-in user.
  open func getUserID() -> String? { currentUser?.uid }

  // MARK: Settings

  /// The language of the server's emails and pages, as a BCP 47 tag.
  open var languageCode: String? {
    get { state.withLock { $0.languageCode } }
    set {
      state.withLock { state in
        state.languageCode = newValue
        state.client?.languageCode = newValue
      }
    }
  }

  /// Uses the user's preferred language on this device.
  open func useAppLanguage() {
    languageCode = Locale.preferredLanguages.first
  }

  /// The setter copies the value. Changes of the object that the getter returns take effect.
  open var settings: AuthSettings? {
    get { state.withLock { $0.settings } }
    set {
      let copy = newValue?.copy(with: nil) as? AuthSettings
      state.withLock { $0.settings = copy }
    }
  }

  /// The tenant to which users of ``updateCurrentUser(_:)`` must belong. The server has no tenants
  /// and rejects requests that name one.
  open var tenantID: String? {
    get { state.withLock { $0.tenantID } }
    set { state.withLock { $0.tenantID = newValue } }
  }

  /// The domain at which browsers open the server's sign-in pages, such as `login.example.com`. Nil for
  /// the server's own URL.
  ///
  /// The domain's site has to forward `/__/auth/` to the server, and the domain has to be among the
  /// project's authorized domains: otherwise a sign-in in a browser throws
  /// ``AuthErrorCode/unauthorizedDomain``. The provider needs a redirect URI at this domain. With an
  /// emulator it has no effect.
  open var customAuthDomain: String? {
    get { state.withLock { $0.customAuthDomain } }
    set { state.withLock { $0.customAuthDomain = newValue } }
  }

  /// Kept for the app, without effect: the session stays on this device.
  open var shareAuthStateAcrossDevices: Bool {
    get { state.withLock { $0.sharesAcrossDevices } }
    set { state.withLock { $0.sharesAcrossDevices = newValue } }
  }

  // MARK: Notification

  /// Posted on the main actor, with the `Auth` as its object, when the ID token changes, such as
  /// after a sign-in, a sign-out or a refresh.
  public static let authStateDidChangeNotification = NSNotification.Name(
    "FIRAuthStateDidChangeNotification")
}

extension NSNotification.Name {
  /// ``Auth/authStateDidChangeNotification``
  public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}
