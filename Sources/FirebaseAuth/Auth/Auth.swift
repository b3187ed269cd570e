public import FirebaseCore
public import Foundation
public import GatehouseClient
import Synchronization

/// Signs people in to an app's project, keeps the session, and tells who is signed in.
///
/// One per `FirebaseApp`. Safe to use from every thread; everything asynchronous has an `async`
/// form, and one with a completion handler, which is called on the main actor, exactly once, and
/// after the listeners that the same change concerns. Errors are `NSError`s of the domain
/// ``AuthErrors/domain``, with the codes of ``AuthErrorCode``.
@preconcurrency
open class Auth: NSObject, @unchecked Sendable {  // `state` and `listeners` lock what changes.
  let state: Mutex<AuthState>
  let listeners = Listeners()

  /// The app this belongs to. Nil once that is gone.
  public internal(set) weak var app: FirebaseApp?

  /// What archives know it by.
  let appName: String
  let maker: any ClientMaking

  package init(app: FirebaseApp?, maker: any ClientMaking) {
    self.app = app
    appName = app?.name ?? ""
    self.maker = maker
    state = Mutex(AuthState())
    super.init()
    let unlock = DeviceUnlock { [weak self] in _ = self?.currentUser }
    state.withLock { $0.unlock = unlock }
  }

  // MARK: Which project

  /// The default app's.
  ///
  /// `FirebaseApp.configure()` comes first: without an app this is a programmer's mistake, and
  /// stops the program, as Google's does.
  open class func auth() -> Auth {
    let app = FirebaseApp.app()
    precondition(app != nil, "Call FirebaseApp.configure() before Auth.auth().")
    return auth(app: unsafe app.unsafelyUnwrapped)
  }

  /// The one of `app`: always the same until `app` is deleted.
  open class func auth(app: FirebaseApp) -> Auth {
    AuthRegistry.shared.auth(of: app)
  }

  // MARK: Who is signed in

  /// Who is signed in: the same object as long as it is the same session.
  ///
  /// Reads the store, but asks nothing of the server. Nil also while the store can't be read (a
  /// device that wasn't unlocked since it started); it is tried again at every call, and listeners
  /// are told.
  public var currentUser: User? {
    let client = self.client
    if case .loading = client.state {
      // Who can't be read yet isn't signed out: the next call tries again.
      do throws(ClientError) { try client.load() } catch { return nil }
    }
    return client.currentUser.map { user(for: $0) }
  }

  /// The client underneath, for what Firebase has no word for: consent, asking before an account is
  /// made. Both see the same session.
  public var gatehouseClient: AuthClient { client }

  /// The uid of who is signed in.
  open func getUserID() -> String? { currentUser?.uid }

  // MARK: Settings

  /// BCP 47: the language of the server's e-mails and pages.
  open var languageCode: String? {
    get { state.withLock { $0.languageCode } }
    set {
      state.withLock { state in
        state.languageCode = newValue
        state.client?.languageCode = newValue
      }
    }
  }

  /// Takes the language that the person prefers on this device.
  open func useAppLanguage() {
    languageCode = Locale.preferredLanguages.first ?? Locale.current.identifier(.bcp47)
  }

  /// What is set is copied; what is read can be changed in place.
  open var settings: AuthSettings? {
    get { state.withLock { $0.settings } }
    set {
      let copy = newValue?.copy(with: nil) as? AuthSettings
      state.withLock { $0.settings = copy }
    }
  }

  /// The tenant that users of ``updateCurrentUser(_:)`` must belong to. The server has no tenants
  /// and refuses requests that name one.
  open var tenantID: String? {
    get { state.withLock { $0.tenantID } }
    set { state.withLock { $0.tenantID = newValue } }
  }

  /// Where browsers are sent, if not to the server's own address.
  open var customAuthDomain: String? {
    get { state.withLock { $0.customAuthDomain } }
    set { state.withLock { $0.customAuthDomain = newValue } }
  }

  /// Kept for the app; the session is this device's alone.
  open var shareAuthStateAcrossDevices: Bool {
    get { state.withLock { $0.sharesAcrossDevices } }
    set { state.withLock { $0.sharesAcrossDevices = newValue } }
  }

  // MARK: Notification

  /// Posted on the main actor, with the `Auth` as its object, when there is another ID token: after
  /// signing in and out, and when it was refreshed.
  public static let authStateDidChangeNotification = NSNotification.Name(
    "FIRAuthStateDidChangeNotification")
}

extension NSNotification.Name {
  /// ``Auth/authStateDidChangeNotification``
  public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}
