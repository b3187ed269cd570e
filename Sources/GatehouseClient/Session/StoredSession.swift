import Foundation

/// The form in which a ``SessionStore`` keeps a session: JSON with its own version number.
///
/// Fields that are added later are optional. A change that earlier versions can't read increases
/// `currentVersion`. Separate code here then reads the earlier format.
struct StoredSession: Codable, Hashable {
  static let currentVersion = 1

  var version: Int
  var idToken: String
  var refreshToken: String
  var snapshot: UserSnapshot
  /// By how many seconds the server's clock was ahead of the device's when this was written.
  var serverTimeOffset: Double
  /// Set as long as both tokens are of Firebase: the API key of the Firebase project.
  var firebaseAPIKey: String?

  init(_ session: HeldSession, serverTimeOffset: Double) {
    version = Self.currentVersion
    idToken = session.tokens.idToken.token
    refreshToken = session.tokens.refreshToken
    snapshot = session.snapshot
    firebaseAPIKey = session.tokens.firebaseAPIKey
    self.serverTimeOffset = serverTimeOffset
  }

  /// - Throws: ``StoreFault`` with kind `damaged`, also for a session of a later version.
  init(data: Data) throws(StoreFault) {
    guard let stored = try? JSONDecoder().decode(Self.self, from: data) else {
      throw StoreFault(.damaged, detail: "The stored data isn't a session.")
    }
    guard stored.version == Self.currentVersion else {
      throw StoreFault(.damaged, detail: "The session has the unknown version \(stored.version).")
    }
    self = stored
  }

  /// - Throws: ``StoreFault`` with kind `unwritable`: JSON can't represent numbers that aren't
  ///   finite.
  func data() throws(StoreFault) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else {
      throw StoreFault(.unwritable, detail: "The session can't be encoded.")
    }
    return data
  }

  /// - Throws: ``StoreFault`` with kind `damaged` if the ID token can't be read or belongs to
  ///   another user, or there is no refresh token.
  func held() throws(StoreFault) -> HeldSession {
    let token: IDToken
    do {
      token = try IDToken(parsing: idToken)
    } catch {
      throw StoreFault(.damaged, detail: "The stored ID token can't be read.")
    }
    guard !refreshToken.isEmpty, token.subject == snapshot.uid else {
      throw StoreFault(.damaged, detail: "The stored session contradicts itself.")
    }
    var tokens = HeldTokens(idToken: token, refreshToken: refreshToken)
    tokens.firebaseAPIKey = firebaseAPIKey
    return HeldSession(tokens: tokens, snapshot: snapshot)
  }
}

/// Secrets stay out of logs.
extension StoredSession: CustomStringConvertible, CustomReflectable {
  var description: String { "StoredSession(version \(version))" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
