package import Foundation
import GatehouseProtocol

/// A user's session, and what the user can do with their account.
///
/// Works as long as its tokens are valid. If another user has signed in since, it still works, but
/// no longer changes the client. Two references are equal if they are the same object.
///
/// Every function that sends a request can throw the errors of ``idToken(forcingRefresh:)``, and
/// ``ClientError/server(_:)`` with `TOO_MANY_ATTEMPTS_TRY_LATER`. The comments name the other ones.
public final class SignedInUser: Sendable {
  private struct State {
    var session: HeldSession
    /// The number of this session in the client; 0 if it was never the client's session.
    var generation: SessionMachine.Generation = 0
    /// The number of this client's changes in progress that end the session on the server.
    var endings = 0
    /// Callers that wait for the end of these changes.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var profileOrder = ProfileOrder()
  }

  public let uid: String
  let core: ClientCore
  let flight = TokenFlight()
  private let state: Locked<State>

  init(_ session: HeldSession, core: ClientCore) {
    uid = session.uid
    self.core = core
    state = Locked(State(session: session))
  }

  /// The latest known profile.
  public var snapshot: UserSnapshot { held.snapshot }

  /// A secret: anyone who has it can use the session.
  public var refreshToken: String? {
    held.tokens.firebaseAPIKey == nil ? held.tokens.refreshToken : nil
  }

  /// The held token, even if it has expired; nil until the user's session at Firebase was traded for one
  /// of the server. Sends no request.
  public var heldIDToken: IDToken? { held.tokens.firebaseAPIKey == nil ? held.tokens.idToken : nil }

  var held: HeldSession { state.withLock(\.session) }
  var generation: SessionMachine.Generation { state.withLock(\.generation) }

  /// The number of a look-up of the profile that is sent now.
  func beginLookUp() -> UInt64 { state.withLock { $0.profileOrder.beginLookUp() } }

  /// Call it while the change of the profile is held in `ClientCore.update`, so that no look-up comes
  /// between.
  func noteProfileChange() { state.withLock { $0.profileOrder.noteChange() } }

  /// Call it in `ClientCore.update`, too.
  func verdict(on lookUp: UInt64) -> ProfileOrder.Verdict {
    state.withLock { $0.profileOrder.verdict(on: lookUp) }
  }

  /// Runs a change that ends the session on the server: a deletion, or one that begins another session.
  /// `body` sends the request and adopts the result.
  func endingSession<Result: Sendable>(
    _ body: () async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result {
    state.withLock { $0.endings += 1 }
    defer {
      let waiting = state.withLock { state in
        state.endings -= 1
        guard state.endings == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
    return try await body()
  }

  /// Waits for the end of such changes. Meanwhile, the server refuses the held tokens although this
  /// client hasn't lost its session.
  func sessionIsSettled() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if state.endings > 0 { state.waiting.append(continuation) }
        return state.endings == 0
      }
      if isSettled { continuation.resume() }
    }
  }

  /// How many callers wait for the end of such changes.
  package var callersWaitingForSession: Int { state.withLock(\.waiting.count) }

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
