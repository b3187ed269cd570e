package import Foundation
import Synchronization

/// A user's session, and what the user can do with their account.
///
/// Works as long as its tokens are valid. If another user has signed in since, it still works, but
/// no longer changes the client. Two references are equal if they are the same object.
public final class SignedInUser: Sendable {
  private struct State {
    var session: HeldSession
    /// The number of this session in the client; 0 if it was never the client's session.
    var generation: SessionMachine.Generation = 0
    /// The number of this client's requests to delete the account that have no response yet.
    var deletions = 0
  }

  public let uid: String
  let core: ClientCore
  let flight = TokenFlight()
  private let state: Mutex<State>

  init(_ session: HeldSession, core: ClientCore) {
    uid = session.uid
    self.core = core
    state = Mutex(State(session: session))
  }

  /// The latest known profile.
  public var snapshot: UserSnapshot { held.snapshot }

  /// A secret: anyone who has it can use the session.
  public var refreshToken: String? { held.tokens.refreshToken }

  /// The held token, even if it has expired. Sends no request.
  public var heldIDToken: IDToken? { held.tokens.idToken }

  var held: HeldSession { state.withLock(\.session) }
  var generation: SessionMachine.Generation { state.withLock(\.generation) }

  /// Whether this client is deleting the account. The deletion itself then signs the user out.
  var isBeingDeleted: Bool { state.withLock { $0.deletions > 0 } }

  func countDeletion(_ change: Int) { state.withLock { $0.deletions += change } }

  /// The core calls this while it holds its locks.
  func hold(_ session: HeldSession, generation: SessionMachine.Generation? = nil) {
    state.withLock { state in
      state.session = session
      if let generation { state.generation = generation }
    }
  }
}

extension SignedInUser: Hashable {
  public static func == (left: SignedInUser, right: SignedInUser) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SignedInUser: CustomStringConvertible, CustomReflectable {
  public var description: String { "SignedInUser(\(uid))" }
  public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}

extension SignedInUser {
  /// The session in a form that can be stored elsewhere, for ``AuthClient/user(archived:)``.
  /// Contains secrets.
  ///
  /// - Throws: ``ClientError/store(_:)`` if it can't be encoded.
  package func archived() throws(ClientError) -> Data {
    do {
      return try StoredSession(held, serverTimeOffset: core.time.offsetSeconds).data()
    } catch {
      throw .store(error)
    }
  }
}

extension AuthClient {
  /// A user of this client who isn't signed in until ``adopt(_:)`` is called.
  ///
  /// - Throws: ``ClientError/store(_:)`` with kind `damaged`.
  package func user(archived: Data) throws(ClientError) -> SignedInUser {
    do {
      return SignedInUser(try StoredSession(data: archived).held(), core: core)
    } catch {
      throw .store(error)
    }
  }
}
