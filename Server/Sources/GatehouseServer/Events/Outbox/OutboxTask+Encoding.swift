import Foundation
import GatehouseProtocol

/// The stored form of a task: JSON, which the store encrypts.
extension OutboxTask {
  private struct Stored: Codable {
    var kind: String
    var provider: String?
    var subject: String?
    var uid: String?
    var code: String?
    var redirectURI: String?
    var clientID: String?
    var token: String?
    var tokenKind: String?
    // With `uid`, the request that asked for a revocation.
    var requestDigest: Data?
    var event: String?
    var occurredAt: Double?
    var jws: String?
    var mail: StoredMail?
    var delivery: DeliveryTask.Stored?
  }

  fileprivate struct StoredMail: Codable {
    var kind: String
    var recipient: String
    var email: String
    var newEmail: String?
    var uid: String?
    var codeDigest: Data?
    var link: String?
    var digits: String?
    var digitsExpireAt: Double?
    var provider: String?
    var languages: [String]
    var expiresAt: Double
    var isVoid: Bool
  }

  package var stored: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return Array(try encoder.encode(storedForm))
    }
  }

  private var storedForm: Stored {
    switch self {
    case .exchangeCode(let task):
      var stored = Stored(
        kind: kind.rawValue, provider: task.provider.text, subject: task.subject.text)
      stored.uid = task.uid.text
      stored.code = task.code.code.reveal()
      stored.redirectURI = task.code.redirectURI
      stored.clientID = task.code.clientID
      return stored
    case .revoke(let task):
      var stored = Stored(
        kind: kind.rawValue, provider: task.provider.text, subject: task.subject.text)
      stored.clientID = task.clientID
      stored.uid = task.request?.uid.text
      stored.requestDigest = task.request.map { Data($0.digest) }
      if case .token(let token, let kind) = task.target {
        stored.token = token.reveal()
        stored.tokenKind = kind.rawValue
      }
      return stored
    case .applyEvent(let event):
      var stored = Stored(
        kind: kind.rawValue, provider: event.provider.text, subject: event.subject?.text ?? "")
      stored.event = event.kind.rawValue
      stored.occurredAt = event.occurredAt.timeIntervalSince1970
      return stored
    case .forwardNotification(let task):
      var stored = Stored(
        kind: kind.rawValue, provider: task.provider.text, subject: task.subject?.text ?? "")
      stored.jws = task.jws
      return stored
    case .sendMail(let task):
      var stored = Stored(kind: kind.rawValue)
      stored.mail = StoredMail(
        kind: task.kind.rawValue, recipient: task.recipient.text, email: task.email.text,
        newEmail: task.newEmail?.text, uid: task.uid?.text,
        codeDigest: task.code.map { Data($0.digest) }, link: task.code?.link.reveal(),
        digits: task.code?.digits?.reveal(),
        digitsExpireAt: task.code?.digits == nil
          ? nil : task.code?.digitsExpireAt.timeIntervalSince1970,
        provider: task.provider?.text, languages: task.languages,
        expiresAt: task.expiresAt.timeIntervalSince1970, isVoid: task.isVoid)
      return stored
    case .deliverEvent(let task):
      var stored = Stored(kind: kind.rawValue)
      stored.delivery = task.stored
      return stored
    }
  }

  /// Nil if the bytes can't be read, or a later version wrote a kind that this version doesn't know.
  package init?(stored bytes: [UInt8]) {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)),
      let kind = Kind(rawValue: stored.kind)
    else { return nil }
    if kind == .sendMail {
      guard let mail = stored.mail.flatMap({ MailTask($0) }) else { return nil }
      self = .sendMail(mail)
      return
    }
    if kind == .deliverEvent {
      guard let task = stored.delivery.flatMap({ DeliveryTask($0) }) else { return nil }
      self = .deliverEvent(task)
      return
    }
    guard let provider = stored.provider.flatMap({ ProviderID($0) }) else { return nil }
    if kind == .forwardNotification {
      guard let jws = stored.jws else { return nil }
      self = .forwardNotification(
        ForwardTask(
          provider: provider, subject: stored.subject.flatMap { Subject($0) }, jws: jws))
      return
    }
    guard let subject = stored.subject.flatMap({ Subject($0) }) else { return nil }
    switch kind {
    case .forwardNotification, .sendMail, .deliverEvent: return nil
    case .exchangeCode:
      guard let uid = stored.uid.flatMap({ UID($0) }), let code = stored.code else { return nil }
      self = .exchangeCode(
        CodeExchangeTask(
          provider: provider, uid: uid, subject: subject,
          code: AuthorizationCode(
            Secret(code), redirectURI: stored.redirectURI, clientID: stored.clientID)))
    case .applyEvent:
      guard let event = stored.event.flatMap({ ProviderEvent.Kind(rawValue: $0) }),
        let occurredAt = stored.occurredAt
      else { return nil }
      self = .applyEvent(
        ProviderEvent(
          provider: provider, kind: event, subject: subject,
          occurredAt: Date(timeIntervalSince1970: occurredAt)))
    case .revoke:
      var target = RevocationTask.Target.grant
      if let token = stored.token {
        guard let kind = stored.tokenKind.flatMap({ RevocableToken(rawValue: $0) }) else {
          return nil
        }
        target = .token(Secret(token), kind)
      }
      var request: RevocationRequest?
      if let uid = stored.uid.flatMap({ UID($0) }), let digest = stored.requestDigest {
        request = RevocationRequest(uid: uid, digest: Array(digest))
      }
      self = .revoke(
        RevocationTask(
          provider: provider, subject: subject, target: target, clientID: stored.clientID,
          request: request))
    }
  }
}

extension MailTask {
  fileprivate init?(_ stored: OutboxTask.StoredMail) {
    guard let kind = MailKind(rawValue: stored.kind),
      let recipient = EmailAddress(stored.recipient),
      let email = EmailAddress(stored.email)
    else { return nil }
    var code: Code?
    if let digest = stored.codeDigest, let link = stored.link {
      code = Code(
        digest: Array(digest), link: Secret(link), digits: stored.digits.map { Secret($0) },
        digitsExpireAt: Date(timeIntervalSince1970: stored.digitsExpireAt ?? 0))
    }
    self.init(
      kind: kind, recipient: recipient, email: email,
      newEmail: stored.newEmail.flatMap { EmailAddress($0) }, uid: stored.uid.flatMap { UID($0) },
      code: code, provider: stored.provider.flatMap { ProviderID($0) },
      languages: stored.languages,
      expiresAt: Date(timeIntervalSince1970: stored.expiresAt), isVoid: stored.isVoid)
  }
}
