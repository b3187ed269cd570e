import Foundation
public import GatehouseClient
import GatehouseProtocol

extension AuthTestServer {
  /// A device that listens for changes of its account.
  struct Stream {
    var session: Int
    var uid: String
    var pieces: AsyncThrowingStream<Data, any Error>.Continuation

    func tell(_ event: String) { pieces.yield(Data("event: \(event)\ndata: {}\n\n".utf8)) }
  }

  public func send(
    _ request: TransportRequest
  ) async throws(TransportFault) -> TransportResponse {
    if isOffline { throw Self.fault(.offline) }
    if let provided = change({ $0.provide(request) }) {
      return Self.response(provided.status, provided.body.serialized())
    }
    guard let method = Method(path: request.url.path) else {
      return Self.response(.notOffered(request.url.lastPathComponent), isToken: false)
    }
    if let wait = arrive(method) {
      do { try await wait.value() } catch { throw .cancelled }
    }
    switch shared.withLock({ $0.takeFault(method) }) {
    case .network(let kind)?: throw Self.fault(kind)
    case .refused(let message)?: return Self.response(message, isToken: method == .token)
    case nil: return answer(method, request)
    }
  }

  /// Notes a call.
  ///
  /// - Returns: What the call waits for.
  private func arrive(_ method: Method) -> SheetAnswer<Void>? {
    let (wait, awaited) = shared.withLock { shared -> (SheetAnswer<Void>?, [SheetAnswer<Void>]) in
      shared.calls.append(method)
      guard shared.held[method] != nil else { return (nil, []) }
      let wait = SheetAnswer<Void>()
      shared.held[method]?.append(wait)
      return (wait, shared.awaited.removeValue(forKey: method) ?? [])
    }
    for one in awaited { one.give(.success(())) }
    return wait
  }

  private func answer(_ method: Method, _ request: TransportRequest) -> TransportResponse {
    let body = (try? JSONObject(parsing: Array(request.body ?? Data()))) ?? [:]
    let caller = body["idToken"]?.string
    return change(by: caller) { state in
      let before = state
      state.app = request.headers["X-Ios-Bundle-Identifier"]
      do {
        return Self.response(200, try state.answer(method, WireFields(body)).json())
      } catch let refusal as Refusal {
        if !refusal.isCommitted { state = before }
        return Self.response(refusal, isToken: method == .token)
      } catch {
        state = before
        return Self.response(
          Refusal(.invalidArgument, "\(error)"), isToken: method == .token)
      }
    }
  }

  /// Changes the state, and then tells other devices.
  ///
  /// - Parameter idToken: The token of the caller, whose own device isn't told.
  func change<Result: Sendable>(
    by idToken: String? = nil, _ body: (inout ServerState) -> Result
  ) -> Result {
    shared.withLock { shared in
      shared.state.now = clock.now
      let before = shared.state
      let result = body(&shared.state)
      shared.tell(
        of: before, except: idToken.flatMap { before.idTokens[$0]?.session })
      return result
    }
  }

  // MARK: Listening

  public func stream(
    _ request: TransportRequest
  ) async throws(TransportFault) -> TransportStream {
    if isOffline { throw Self.fault(.offline) }
    let token = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
    let (pieces, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    let refusal = shared.withLock { shared -> Refusal? in
      do throws(Refusal) {
        shared.state.now = clock.now
        let user = try shared.state.currentUser(token)
        let number = shared.state.next()
        let stream = Stream(
          session: user.session.number, uid: user.account.uid, pieces: continuation)
        shared.streams[number] = stream
        continuation.onTermination = { [weak self] _ in
          _ = self?.shared.withLock { $0.streams.removeValue(forKey: number) }
        }
        stream.tell(WatchEventType.ready.rawValue)
        return nil
      } catch { return error }
    }
    guard let refusal else {
      return TransportStream(
        status: 200, headers: ["content-type": "text/event-stream"], pieces: pieces)
    }
    continuation.yield(Self.response(refusal, isToken: false).body)
    continuation.finish()
    return TransportStream(status: 400, headers: [:], pieces: pieces)
  }

  // MARK: Responses

  private static func fault(_ kind: NetworkFault.Kind) -> TransportFault {
    .network(NetworkFault(kind, detail: "AuthTestServer"))
  }

  private static func response(_ status: Int, _ body: [UInt8]) -> TransportResponse {
    TransportResponse(
      status: status, headers: ["content-type": "application/json"], body: Data(body))
  }

  private static func response(_ refusal: Refusal, isToken: Bool) -> TransportResponse {
    response(refusal.message, isToken: isToken)
  }

  private static func response(_ message: String, isToken: Bool) -> TransportResponse {
    let error =
      isToken
      ? ErrorBody(code: 400, message: message, status: "INVALID_ARGUMENT")
      : ErrorBody(
        code: 400, message: message,
        details: [ErrorBody.Detail(message: message, reason: "invalid")])
    return response(400, error.json())
  }
}

extension AuthTestServer.Shared {
  fileprivate mutating func takeFault(_ method: AuthTestServer.Method) -> AuthTestServer.Fault? {
    guard let (fault, times) = faults[method] else { return nil }
    faults[method] = times > 1 ? (fault, times - 1) : nil
    return fault
  }

  /// Tells the devices whose account or session has changed.
  fileprivate func tell(of before: ServerState, except caller: Int?) {
    for stream in streams.values where stream.session != caller {
      let session = state.sessions.first { $0.number == stream.session }
      guard let user = state.user(stream.uid), !user.isDisabled, session?.isEnded == false else {
        stream.tell(WatchEventType.signedOut.rawValue)
        continue
      }
      guard let former = before.user(stream.uid) else { continue }
      if user.customClaims != former.customClaims { stream.tell("account.claims_changed") }
      if !user.hasSameProfile(as: former) { stream.tell("account.profile_changed") }
    }
  }
}

extension TestUser {
  fileprivate func hasSameProfile(as other: TestUser) -> Bool {
    var same = other
    same.lastSignInAt = lastSignInAt
    same.customClaims = customClaims
    if same.passkeys.map(\.id) == passkeys.map(\.id) { same.passkeys = passkeys }
    return self == same
  }
}

extension ServerState {
  fileprivate mutating func answer(
    _ method: AuthTestServer.Method, _ fields: WireFields
  ) throws -> any WireResponse {
    switch method {
    case .signUp: try signUp(SignUpRequest(fields))
    case .signInWithPassword: try signIn(SignInWithPasswordRequest(fields))
    case .signInWithIdp: try signIn(SignInWithIdpRequest(fields))
    case .signInWithEmailLink: try signIn(SignInWithEmailLinkRequest(fields))
    case .signInWithCustomToken: try signIn(SignInWithCustomTokenRequest(fields))
    case .token: try refresh(TokenRequest(fields))
    case .lookup: try lookUp(LookupRequest(fields))
    case .update: try update(UpdateRequest(fields))
    case .delete: try delete(DeleteRequest(fields))
    case .revokeToken: try revoke(RevokeTokenRequest(fields))
    case .sendOobCode: try send(SendOobCodeRequest(fields))
    case .resetPassword: try resetPassword(ResetPasswordRequest(fields))
    case .createAuthUri: try signInMethods(CreateAuthURIRequest(fields))
    case .sessions: try list(SessionsRequest(fields))
    case .endSession: try end(EndSessionRequest(fields))
    case .startMFAEnrollment: try startEnrollment(StartMFAEnrollmentRequest(fields))
    case .finalizeMFAEnrollment: try finalizeEnrollment(FinalizeMFAEnrollmentRequest(fields))
    case .withdrawMFA: try withdraw(WithdrawMFARequest(fields))
    case .startMFASignIn: try startSignIn(StartMFASignInRequest(fields))
    case .finalizeMFASignIn: try finalizeSignIn(FinalizeMFASignInRequest(fields))
    case .createRecoveryCodes: try createRecoveryCodes(CreateRecoveryCodesRequest(fields))
    case .startPasskeyEnrollment: try startPasskey(StartPasskeyEnrollmentRequest(fields))
    case .finalizePasskeyEnrollment: try finalizePasskey(FinalizePasskeyEnrollmentRequest(fields))
    case .startPasskeySignIn: try startPasskey(StartPasskeySignInRequest(fields))
    case .finalizePasskeySignIn: try finalizePasskey(FinalizePasskeySignInRequest(fields))
    }
  }
}
