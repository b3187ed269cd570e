import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

/// Keeps the sent mails, as the users' mailboxes would.
final class ReceivedMail: CodeDisplay {
  private let messages = Mutex<[CodeMessage]>([])

  func show(_ message: CodeMessage) async { messages.withLock { $0.append(message) } }

  /// The mails to the address, oldest first.
  func mails(to address: String) -> [CodeMessage] {
    messages.withLock { $0.filter { $0.recipient.text == address } }
  }

  var count: Int { messages.withLock { $0.count } }
  var last: CodeMessage? { messages.withLock { $0.last } }
}

extension CodeMessage {
  /// The code in the link of ``World/link``.
  var code: String { String(link.reveal().split(separator: "=").last ?? "") }
}

extension World {
  static let link = CodeLink { purpose, code, _ in
    "https://auth.example.com/\(purpose)?code=\(code)"
  }

  /// Requests a code as a client does, and reads it in the mail.
  func sent(
    _ request: ActionCodeRequest, to address: String, in project: Project? = nil
  ) async throws -> String {
    _ = try await ask(request, in: project)
    return try #require(mailbox.mails(to: address).last).code
  }

  @discardableResult
  func ask(
    _ request: ActionCodeRequest, _ handling: ActionCodeHandling = .deliver,
    from client: ClientAddress = .unknown, in project: Project? = nil
  ) async throws -> IssuedActionCode? {
    try await accounts.requestActionCode(
      request, handling: handling, from: client, link: Self.link, in: project ?? self.project,
      now: now
    ).issued
  }

  func resetPassword(
    _ code: String, to password: String = "freshpass", in project: Project? = nil
  ) async throws -> ActionCode {
    try await accounts.resetPassword(
      withCode: code, to: Secret(password), from: .unknown, in: project ?? self.project, now: now)
  }

  @discardableResult
  func apply(_ code: String, in project: Project? = nil) async throws -> Account {
    try await accounts.applyActionCode(
      code, from: .unknown, link: Self.link, in: project ?? self.project, now: now
    ).account
  }

  func signIn(
    code: String, _ address: String, linkingTo idToken: String? = nil, in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.signIn(
      withEmailLinkCode: code, email: try email(address), linkingIDToken: idToken,
      from: .unknown, link: Self.link, in: project ?? self.project, now: now
    ).signedIn()
  }

  /// An account whose user verified the address.
  func accountVerifiedByCode(_ address: String) async throws -> SignedIn {
    let signedIn = try await signUp(address)
    try await apply(
      try await sent(.emailVerification(of: .idToken(signedIn.tokens.idToken)), to: address))
    return signedIn
  }
}
