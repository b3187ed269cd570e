import Foundation
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes

/// The sessions of the console's users. A session is one of ``ConsoleProject`` that began with two factors; the browser
/// has a cookie for it, and the key that the cookie names.
struct ConsoleSessions: Sendable {
  let accounts: AccountsService

  /// After this time without use, the cookie is void. Seconds.
  static let idleSeconds: TimeInterval = 3600
  /// The longest session. Seconds: half a day.
  static let lifetimeSeconds: TimeInterval = 43_200
  /// What makes administrators, or ends a project, needs a sign-in that isn't older. Seconds.
  static let recentSeconds: TimeInterval = 300
  private static let bound = "console session"
  private static let maximumBytes = 1024

  func cookie(for session: SessionID, _ proof: PossessionProof, now: Date) throws -> String {
    var fields = FieldWriter()
    fields.write(session.description)
    fields.write(Base64URL.encode(proof.thumbprint))
    return try accounts.pendingTokens.box.seal(fields, writtenAt: now, bound: Self.bound)
  }

  /// The user and the session; nil if the session is over, or belongs to another browser.
  func user(
    _ cookie: String, _ proof: PossessionProof, now: Date
  ) async throws -> (user: ConsoleUser, session: Session)? {
    guard let id = ProjectID(ConsoleProject.name), cookie.utf8.count <= Self.maximumBytes,
      var opened = try? accounts.pendingTokens.box.open(
        cookie, bound: Self.bound, lifetimeSeconds: Self.idleSeconds, now: now),
      let sessionID = try? opened.fields.string().flatMap({ SessionID($0) }),
      let thumbprint = try? opened.fields.string().flatMap({ Base64URL.decode($0) }),
      constantTimeEquals(thumbprint, proof.thumbprint),
      let (session, account) = try await accounts.store.read({
        try $0.sessionWithAccount(sessionID, in: id)
      }), let account, Self.mayAdminister(session, of: account, now: now),
      let user = ConsoleUser(account)
    else { return nil }
    return (user, session)
  }

  static func mayAdminister(_ session: Session, of account: Account, now: Date) -> Bool {
    session.ended == nil && session.secondFactor != nil && !account.isDisabled
      && session.createdAt >= account.createdAt
      && now < session.createdAt.addingTimeInterval(lifetimeSeconds)
  }
}

/// What a request of the console has in place of an administrator's key.
struct ConsoleCredential: Sendable {
  let cookie: String
  private let request: HTTPRequest
  private let publicURL: String

  /// Nil if the request has none.
  init?(_ request: HTTPRequest, at publicURL: String) {
    guard request.headerFields[.dpop] != nil,
      let cookie = request.headerFields.cookie(named: Self.cookieName(at: publicURL))
    else { return nil }
    self.cookie = cookie
    self.request = request
    self.publicURL = publicURL
  }

  /// - Throws: ``APIError/credentialRefused``.
  func possession(now: Date) throws(APIError) -> PossessionProof {
    try PossessionProof(of: request, at: publicURL, now: now)
  }

  static func cookieName(at publicURL: String) -> String {
    (CallbackURI.isSecure(publicURL) ? "__Host-" : "") + "gatehouse-console"
  }
}

extension HTTPFields {
  /// The value of a cookie of a request.
  func cookie(named name: String) -> String? {
    for header in self[values: .cookie] {
      for pair in header.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
          pair[..<equals].utf8.elementsEqual(name.utf8)
        else { continue }
        return String(pair[equals...].dropFirst())
      }
    }
    return nil
  }
}
