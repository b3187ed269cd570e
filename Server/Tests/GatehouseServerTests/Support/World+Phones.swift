import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

/// Keeps the sent messages, as the users' phones would.
final class Telephones: PhoneCodeDelivery {
  private let messages = Mutex<[PhoneCodeMessage]>([])
  /// Whether a project needs a webhook, as in production.
  private let needsWebhook = Mutex(false)
  private let failure = Mutex<PhoneCodeUndelivered?>(nil)

  var worksWithoutWebhook: Bool { !needsWebhook.withLock { $0 } }

  func requireWebhook() { needsWebhook.withLock { $0 = true } }

  /// - Parameter failure: What every delivery throws; nil: none fails.
  func fail(_ failure: PhoneCodeUndelivered? = PhoneCodeUndelivered()) {
    self.failure.withLock { $0 = failure }
  }

  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(PhoneCodeUndelivered) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    messages.withLock { $0.append(message) }
  }

  /// The messages to the number, oldest first.
  func messages(to number: String) -> [PhoneCodeMessage] {
    messages.withLock { $0.filter { $0.phoneNumber.text == number } }
  }

  var count: Int { messages.withLock { $0.count } }
}

/// A code that was sent, with its session.
struct SentCode {
  let sessionInfo: String
  let code: String

  /// Another code of the same form.
  var wrong: String { code == "000000" ? "000001" : "000000" }
}

func number(_ text: String) throws -> PhoneNumber { try #require(PhoneNumber(text)) }

extension World {
  static let ann = "+15555550100"
  static let bob = "+15555550101"

  /// Requests a code as a client does, and reads it on the phone.
  func sent(
    to text: String = World.ann, from client: ClientAddress = .unknown, in project: Project? = nil
  ) async throws -> SentCode {
    let sessionInfo = try await accounts.sendVerificationCode(
      to: try number(text), language: nil, from: client, in: project ?? self.project, now: now)
    let message = try #require(telephones.messages(to: text).last)
    return SentCode(sessionInfo: sessionInfo, code: message.code.reveal())
  }

  func present(
    _ sessionInfo: String, _ code: String, _ operation: PhoneOperation = .signInOrUpdate,
    idToken: String? = nil, consent: GivenConsent? = nil, from client: ClientAddress = .unknown,
    in project: Project? = nil
  ) async throws -> PhoneSignIn {
    var options = PhoneSignInOptions(operation: operation, idToken: idToken)
    options.consent = consent
    options.client = client
    return try await accounts.signIn(
      with: .code(sessionInfo: sessionInfo, code: Secret(code)), options: options,
      in: project ?? self.project, now: now)
  }

  func present(
    proof: String, of text: String = World.ann, idToken: String? = nil, in project: Project? = nil
  ) async throws -> PhoneSignIn {
    try await accounts.signIn(
      with: .temporary(proof: proof, of: try number(text)),
      options: PhoneSignInOptions(idToken: idToken), in: project ?? self.project, now: now)
  }

  /// Signs in with a number, or links it, by a code that was just sent.
  func signInByPhone(
    _ text: String = World.ann, _ operation: PhoneOperation = .signInOrUpdate,
    idToken: String? = nil, consent: GivenConsent? = nil, in project: Project? = nil
  ) async throws -> SignedIn {
    let sent = try await sent(to: text, in: project)
    return try await present(
      sent.sessionInfo, sent.code, operation, idToken: idToken, consent: consent, in: project
    ).signedIn()
  }

  /// The temporary proof of a number that another account has.
  func temporaryProof(_ text: String = World.ann, idToken: String) async throws -> String {
    let sent = try await sent(to: text)
    let answer = try await present(sent.sessionInfo, sent.code, idToken: idToken)
    guard case .numberInUse(let number, let proof, let seconds) = answer else {
      throw IdentitySignIn.Result.Unexpected(outcome: "\(answer)")
    }
    #expect(number.text == text)
    #expect(seconds == 600)
    return proof
  }
}

extension PhoneSignIn {
  func signedIn() throws -> SignedIn {
    guard case .ended(let result, _) = self else {
      throw IdentitySignIn.Result.Unexpected(outcome: "\(self)")
    }
    return try result.signedIn()
  }
}
