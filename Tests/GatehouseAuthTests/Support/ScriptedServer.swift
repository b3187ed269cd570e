import Foundation
import GatehouseClient
import GatehouseProtocol

/// A minimal server: it knows users by name, issues tokens that only look like real ones, and
/// refuses what a test names. Counts and keeps the requests.
final class ScriptedServer: Transport {
  /// A request as the server sees it.
  struct Call: Sendable {
    let path: String
    let url: URL
    let headers: [String: String]
    let text: String

    /// A member of the JSON body.
    subscript(_ name: String) -> String? {
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return object?[name].map { "\($0)" }
    }
  }

  struct Answer: Sendable {
    var status = 200
    var body = "{}"
    var fault: NetworkFault?
  }

  private struct State {
    var calls: [Call] = []
    var scripts: [String: [Answer]] = [:]
    var always: [String: Answer] = [:]
    var profiles: [String: [String: String]] = [:]
    var tokens = 0
    var held: Set<String> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) { self.now = now }

  // MARK: What tests set

  /// The next response to `path`, such as `accounts:lookup`.
  func next(_ path: String, _ body: String, status: Int = 200) {
    state.withLock { $0.scripts[path, default: []].append(Answer(status: status, body: body)) }
  }

  /// Refuses the next request to `path` with `message`.
  func refuse(_ path: String, _ message: String, status: Int = 400) {
    next(path, #"{"error":{"code":\#(status),"message":"\#(message)"}}"#, status: status)
  }

  /// Loses every request to `path` from now on.
  func lose(_ path: String) {
    let fault = NetworkFault(.offline, detail: "offline")
    state.withLock { $0.always[path] = Answer(fault: fault) }
  }

  func setProfile(_ uid: String, _ members: [String: String]) {
    state.withLock { $0.profiles[uid, default: [:]].merge(members) { $1 } }
  }

  /// Requests to `path` wait until ``release()``.
  func hold(_ path: String) { state.withLock { _ = $0.held.insert(path) } }

  func release() {
    let waiting = state.withLock { state in
      state.held = []
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  // MARK: The requests

  var calls: [Call] { state.withLock { $0.calls } }
  var paths: [String] { calls.map(\.path) }
  func count(_ path: String) -> Int { calls.count { $0.path == path } }
  func last(_ path: String) -> Call? { calls.last { $0.path == path } }

  // MARK: Responses

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    let call = Call(
      path: request.url.lastPathComponent, url: request.url, headers: request.headers,
      text: String(decoding: request.body ?? Data(), as: UTF8.self))
    await wait(for: call.path)
    let answer = state.withLock { state in
      state.calls.append(call)
      if let scripted = state.scripts[call.path], let first = scripted.first {
        state.scripts[call.path] = Array(scripted.dropFirst())
        return first
      }
      return state.always[call.path] ?? Answer(body: usual(call, &state))
    }
    if let fault = answer.fault { throw .network(fault) }
    return TransportResponse(
      status: answer.status, headers: ["content-type": "application/json"],
      body: Data(answer.body.utf8))
  }

  private func wait(for path: String) async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        guard state.held.contains(path) else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isHeld { continuation.resume() }
    }
  }

  private func usual(_ call: Call, _ state: inout State) -> String {
    switch call.path {
    case "accounts:signUp":
      if call["idToken"] != nil, let uid = uid(in: call["idToken"]) {
        state.profiles[uid, default: [:]]["email"] = call["email"]
        return session(uid, "password", &state)
      }
      guard let email = call["email"] else { return session("nobody", "anonymous", &state) }
      return session(email, "password", &state)
    case "accounts:signInWithPassword", "accounts:signInWithEmailLink":
      return session(call["email"] ?? "", "password", &state)
    case "accounts:signInWithCustomToken":
      return session(call["token"] ?? "", "custom", &state)
    case "accounts:signInWithIdp":
      return session(uid(in: call["idToken"]) ?? subject(call), "google.com", &state)
    case "token":
      let uid = call["refresh_token"] ?? call["refreshToken"] ?? ""
      let token = token(uid, &state)
      return """
        {"access_token":"\(token)","id_token":"\(token)","refresh_token":"\(uid)",
         "expires_in":"3600","token_type":"Bearer","user_id":"\(uid)","project_id":"demo"}
        """
    case "accounts:update":
      let uid = uid(in: call["idToken"]) ?? ""
      for name in ["displayName", "photoUrl", "email"] {
        if let value = call[name] { state.profiles[uid, default: [:]][name] = value }
      }
      return #"{"localId":"\#(uid)"}"#
    case "accounts:resetPassword":
      return #"{"requestType":"PASSWORD_RESET","email":"a@example.com"}"#
    case "accounts:lookup":
      return lookup(uid(in: call["idToken"]) ?? "", state.profiles)
    default: return "{}"
    }
  }

  private func subject(_ call: Call) -> String {
    let form = URLComponents(string: "?" + (call["postBody"] ?? ""))?.queryItems ?? []
    return form.first { $0.name == "id_token" }?.value ?? "somebody"
  }

  private func session(_ uid: String, _ provider: String, _ state: inout State) -> String {
    """
    {"idToken":"\(token(uid, &state, provider: provider))","refreshToken":"\(uid)","expiresIn":"3600",
     "localId":"\(uid)","providerId":"\(provider)","isNewUser":true}
    """
  }

  private func lookup(_ uid: String, _ profiles: [String: [String: String]]) -> String {
    var members = [#""localId":"\#(uid)""#, #""createdAt":"1000""#, #""lastLoginAt":"2000""#]
    for (name, value) in (profiles[uid] ?? [:]).sorted(by: { $0.key < $1.key }) {
      members.append(
        value.hasPrefix("[") || value == "true"
          ? #""\#(name)":\#(value)"# : #""\#(name)":"\#(value)""#)
    }
    return #"{"users":[{\#(members.joined(separator: ","))}]}"#
  }

  private func token(
    _ uid: String, _ state: inout State, provider: String = "password"
  ) -> String {
    state.tokens += 1
    return Self.token(uid, provider: provider, number: state.tokens, at: now())
  }

  /// A text that looks like a JWT with a lifetime of one hour.
  static func token(
    _ uid: String, provider: String = "password", number: Int, at now: Date, more: String = ""
  ) -> String {
    let time = Int(now.timeIntervalSince1970)
    let claims = """
      {"sub":"\(uid)","user_id":"\(uid)","iat":\(time),"exp":\(time + 3600),"auth_time":\(time),\
      "n":\(number)\(more),"firebase":{"sign_in_provider":"\(provider)"}}
      """
    let payload = Data(claims.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "e30.\(payload).c2ln"
  }

  private func uid(in token: String?) -> String? {
    guard let part = token?.split(separator: ".").dropFirst().first else { return nil }
    var text = part.replacing("-", with: "+").replacing("_", with: "/")
    while !text.count.isMultiple(of: 4) { text += "=" }
    guard let data = Data(base64Encoded: String(text)),
      let claims = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return nil }
    return claims["sub"] as? String
  }
}
