public import Foundation
package import GatehouseClient
import Synchronization

/// Somebody who is signed in, or was: their profile, tokens, and what they do with the account.
///
/// Works as long as its tokens do, also when somebody else has signed in since. ``Auth/currentUser``
/// is this same object as long as it is the same session. Properties are what is known now; only
/// ``reload()`` and what changes the account ask the server.
///
/// Where the server says that the session is over (a token revoked, the account disabled or
/// deleted), the call throws and the device is signed out of it; listeners are told. Losing the
/// network signs nobody out.
@preconcurrency
open class User: NSObject, UserInfo, NSSecureCoding, @unchecked Sendable {  // `local` is a lock.
  /// The session this is a facade of.
  package let person: SignedInUser
  let appName: String
  private let local = Mutex(LocalProfile())

  package init(person: SignedInUser, appName: String) {
    self.person = person
    self.appName = appName
  }

  // MARK: UserInfo

  /// `Firebase`: this is the account, not one of ``providerData``.
  open var providerID: String { "Firebase" }
  open var uid: String { person.uid }

  /// Setting it changes this object alone: ``createProfileChangeRequest()`` changes the account.
  /// ``reload()`` brings back what the account has.
  open var displayName: String? {
    get { local.withLock { $0.displayName } ?? person.snapshot.displayName }
    set { local.withLock { $0.displayName = .some(newValue) } }
  }

  /// As ``displayName``.
  open var photoURL: URL? {
    get { local.withLock { $0.photoURL } ?? person.snapshot.photoURL }
    set { local.withLock { $0.photoURL = .some(newValue) } }
  }

  open var email: String? { person.snapshot.email }
  open var phoneNumber: String? { person.snapshot.phoneNumber }

  // MARK: The account

  /// Whether there is no way to sign in to the account but this session.
  public var isAnonymous: Bool { person.snapshot.isAnonymous }
  @available(*, deprecated, renamed: "isAnonymous")
  open func anonymous() -> Bool { isAnonymous }

  public var isEmailVerified: Bool { person.snapshot.isEmailVerified }
  @available(*, deprecated, renamed: "isEmailVerified")
  open func emailVerified() -> Bool { isEmailVerified }

  /// What the account can be signed in to with, in the server's order. Empty for an anonymous one.
  open var providerData: [any UserInfo] {
    person.snapshot.providers.map { ProviderUserInfo($0) }
  }

  public var metadata: UserMetadata { UserMetadata(person.snapshot) }
  public var tenantID: String? { person.snapshot.tenantID }

  /// Empty, and refuses: the server has no second factors.
  public let multiFactor = MultiFactor()

  /// A secret that gives ID tokens. Rotates: never keep a copy.
  open var refreshToken: String? { person.refreshToken }

  // MARK: Changing the profile

  /// A change of name and picture that is sent at once by ``UserProfileChangeRequest/commitChanges()``.
  open func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(user: self)
  }

  /// What the account has counts again.
  func forgetLocalProfile() { local.withLock { $0 = LocalProfile() } }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  /// Holds the refresh token in the clear: keep the archive where secrets are kept.
  public func encode(with coder: NSCoder) {
    coder.encode(text: appName, forKey: UserArchive.appName)
    guard let archive = try? person.archived() else { return }
    coder.encode(archive as NSData, forKey: UserArchive.session)
  }

  /// Somebody whose archive this is, as the user of the app that it was made in, which must be
  /// configured. Doesn't sign in: that is ``Auth/updateCurrentUser(_:)``.
  public required init?(coder: NSCoder) {
    guard let name = coder.text(UserArchive.appName),
      let session = coder.object(NSData.self, UserArchive.session),
      let app = FirebaseApp.app(name: name),
      let person = try? Auth.auth(app: app).client.user(archived: Data(referencing: session))
    else { return nil }
    self.person = person
    appName = name
  }
}

/// What an app set on a ``User``, and didn't send.
private struct LocalProfile {
  var displayName: String??
  var photoURL: URL??
}

/// The keys of an archived ``User``.
private enum UserArchive {
  static let appName = "gatehouseAppName"
  static let session = "gatehouseSession"
}
