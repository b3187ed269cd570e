public import Foundation
package import GatehouseClient
import GatehouseProtocol

/// A user who is or was signed in: the profile, the tokens, and the operations on the account.
///
/// It works as long as its tokens are valid, even after another user has signed in.
/// ``Auth/currentUser`` returns the same object during one session. The properties have the values
/// that this device knows: they are read from the server at a sign-in, by ``reload()``, after
/// changes of the account, and when ``Auth`` is told of a change elsewhere.
///
/// If the server reports to a call that the session has ended or that the account was disabled or
/// deleted, the call throws an error, the user is signed out on this device, and listeners are
/// called. A lost network connection never signs a user out.
@preconcurrency
open class User: NSObject, UserInfo, NSSecureCoding, @unchecked Sendable {  // `local` is a lock.
  /// The client's user that this object represents.
  package let person: SignedInUser
  let appName: String
  private let local = Locked(LocalProfile())

  package init(person: SignedInUser, appName: String) {
    self.person = person
    self.appName = appName
  }

  // MARK: UserInfo

  /// `Firebase`: this is the account, not an element of ``providerData``.
  open var providerID: String { "Firebase" }
  open var uid: String { person.uid }

  /// Setting it changes only this object: ``createProfileChangeRequest()`` changes the account.
  /// ``reload()`` restores the account's value.
  open var displayName: String? {
    get { local.withLock { $0.displayName } ?? person.snapshot.displayName }
    set { local.withLock { $0.displayName = .some(newValue) } }
  }

  /// Works like ``displayName``.
  open var photoURL: URL? {
    get { local.withLock { $0.photoURL } ?? person.snapshot.photoURL }
    set { local.withLock { $0.photoURL = .some(newValue) } }
  }

  open var email: String? { person.snapshot.email }
  open var phoneNumber: String? { person.snapshot.phoneNumber }

  // MARK: The account

  /// Whether the account has no credential: only its session gives access to it.
  public var isAnonymous: Bool { person.snapshot.isAnonymous }
  @available(*, deprecated, renamed: "isAnonymous")
  open func anonymous() -> Bool { isAnonymous }

  public var isEmailVerified: Bool { person.snapshot.isEmailVerified }
  @available(*, deprecated, renamed: "isEmailVerified")
  open func emailVerified() -> Bool { isEmailVerified }

  /// The sign-in methods of the account, in the server's order. Empty for an anonymous account.
  open var providerData: [any UserInfo] {
    person.snapshot.providers.map { ProviderUserInfo($0) }
  }

  public var metadata: UserMetadata { UserMetadata(person.snapshot) }
  public var tenantID: String? { person.snapshot.tenantID }

  /// Has no factors, and its requests throw an error: the server has no second factors.
  public let multiFactor = MultiFactor()

  /// A secret that the SDK exchanges for ID tokens. The server rotates it: never keep a copy.
  open var refreshToken: String? { person.refreshToken }

  // MARK: Changing the profile

  /// A change of name and picture. ``UserProfileChangeRequest/commitChanges()`` sends both in one
  /// request.
  open func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(user: self)
  }

  /// Restores the account's values.
  func forgetLocalProfile() { local.withLock { $0 = LocalProfile() } }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  /// The archive contains the refresh token unencrypted: store it where secrets are kept.
  public func encode(with coder: NSCoder) {
    coder.encode(text: appName, forKey: UserArchive.appName)
    guard let archive = try? person.archived() else { return }
    coder.encode(archive as NSData, forKey: UserArchive.session)
  }

  /// Restores an archived user. A `FirebaseApp` with the name of the app that archived the user
  /// must be configured. Doesn't sign the user in: ``Auth/updateCurrentUser(_:)`` does.
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

/// The values that an app set on a ``User``. They are not sent to the server.
private struct LocalProfile {
  var displayName: String??
  var photoURL: URL??
}

/// The keys of an archived ``User``.
private enum UserArchive {
  static let appName = "gatehouseAppName"
  static let session = "gatehouseSession"
}
