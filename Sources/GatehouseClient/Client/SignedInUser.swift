public import Foundation

/// A person's session, and what they can do with their account.
///
/// Works as long as its tokens do, also when somebody else has signed in since: then it changes
/// nothing in the client.
public final class SignedInUser: Sendable {
  public let uid: String

  init(uid: String) { self.uid = uid }

  /// The latest that is known.
  public var snapshot: UserSnapshot { UserSnapshot(uid: uid) }

  public var refreshToken: String? { nil }

  /// The token that is held, however old. Makes no request.
  public var heldIDToken: IDToken? { nil }

  /// A token good for five minutes at least, by the server's time. Makes a request only if there is
  /// none; all who wait share one.
  ///
  /// - Throws: ``ClientError/sessionEnded(_:)`` after the client was signed out by that;
  ///   ``ClientError/network(_:)`` otherwise signs nobody out.
  public func idToken(forcingRefresh: Bool = false) async throws(ClientError) -> IDToken {
    throw .notSignedIn
  }

  /// Asks the server for the profile.
  public func reload() async throws(ClientError) { throw .notSignedIn }

  @discardableResult
  public func link(_ credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  { throw .notSignedIn }

  /// - Throws: ``ClientError/userMismatch`` where the credential is another account's, or nobody's.
  @discardableResult
  public func reauthenticate(with credential: Credential) async throws(ClientError) -> SignInResult
  { throw .notSignedIn }

  @discardableResult
  public func unlink(_ provider: Provider) async throws(ClientError) -> UserSnapshot {
    throw .notSignedIn
  }

  public func update(profile: ProfileChange) async throws(ClientError) { throw .notSignedIn }
  public func update(password: String) async throws(ClientError) { throw .notSignedIn }
  public func update(email: String) async throws(ClientError) { throw .notSignedIn }

  public func sendEmailVerification(settings: ActionLinkSettings? = nil) async throws(ClientError) {
    throw .notSignedIn
  }
  public func sendEmailVerification(
    beforeUpdatingTo email: String, settings: ActionLinkSettings? = nil
  ) async throws(ClientError) { throw .notSignedIn }

  /// Has the server end Apple's tokens, by the code of a fresh sheet.
  public func revokeApple(authorizationCode: String) async throws(ClientError) {
    throw .notSignedIn
  }

  /// Deletes the account. The client is signed out when it returns.
  public func delete() async throws(ClientError) { throw .notSignedIn }
}

/// A change of the profile: what isn't set stays.
public struct ProfileChange: Sendable, Hashable {
  public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
    case keep
    case set(Value)
    case remove
  }
  public var displayName: Change<String> = .keep
  public var photoURL: Change<URL> = .keep
  public init() {}
}
