package import Foundation
import Synchronization

/// A person's session, and what they can do with their account.
///
/// Works as long as its tokens do, also when somebody else has signed in since: then it changes
/// nothing in the client. Two are equal if they are the same object.
public final class SignedInUser: Sendable {
  private struct State {
    var session: HeldSession
    /// Which of the client's sessions this is; 0 for none.
    var generation: SessionMachine.Generation = 0
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

  /// The latest that is known.
  public var snapshot: UserSnapshot { held.snapshot }

  /// A secret: who has it has the session.
  public var refreshToken: String? { held.tokens.refreshToken }

  /// The token that is held, however old. Makes no request.
  public var heldIDToken: IDToken? { held.tokens.idToken }

  var held: HeldSession { state.withLock(\.session) }
  var generation: SessionMachine.Generation { state.withLock(\.generation) }

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
  /// The session as it can be kept elsewhere, for ``AuthClient/user(archived:)``. Holds secrets.
  ///
  /// - Throws: ``ClientError/store(_:)`` where it can't be encoded.
  package func archived() throws(ClientError) -> Data {
    do {
      return try StoredSession(held, serverTimeOffset: core.time.offsetSeconds).data()
    } catch {
      throw .store(error)
    }
  }
}

extension AuthClient {
  /// A user of this client who isn't signed in until ``adopt(_:)``.
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
