import Crypto
import Foundation
package import GatehouseProtocol

/// Builds the link that contains a code. The caller of a use case creates it, because the caller knows
/// the server's own address, and the language that the client asked for.
package struct CodeLink: Sendable {
  /// - language: The language that the user prefers, as a BCP 47 tag. Nil: the project's.
  package typealias Builder =
    @Sendable (
      _ purpose: ActionCode.Purpose, _ code: String, _ language: String?
    ) -> String

  let link: Builder
  let mailedLink: Builder
  /// A BCP 47 tag; nil if the request asked for no language.
  let language: String?

  /// - Parameter mailed: Builds the link in the email if it differs from the one that developers see. It
  ///   does with `--dev`, where developers see the emulator's links.
  package init(
    language: String? = nil, mailed: Builder? = nil, _ link: @escaping Builder
  ) {
    self.language = language
    self.link = link
    mailedLink = mailed ?? link
  }
}

/// Creates action codes, and sends them.
package struct ActionCodeIssuer: Sendable {
  /// Shows codes as soon as they are stored: the terminal of `--dev`.
  private let display: (any CodeDisplay)?
  /// Whether an email is queued for each code.
  let sendsMail: Bool
  /// True with `--dev`, where anyone may list the codes.
  private let keepsLinks: Bool

  package init(
    display: (any CodeDisplay)? = nil, sendsMail: Bool = false, keepsLinks: Bool = false
  ) {
    self.display = display
    self.sendsMail = sendsMail
    self.keepsLinks = keepsLinks
  }

  /// If false, no code is delivered. Administrators can still request the link of a code.
  var delivers: Bool { sendsMail || display != nil }

  /// Creates a code; the caller stores it.
  ///
  /// - Parameters:
  ///   - newEmail: The address that the code verifies and sets. The code is sent to it.
  ///   - replacement: The address that has replaced `email`. Only the email names it.
  ///   - isTyped: Whether the user can type six digits instead of following the link.
  func make(
    _ purpose: ActionCode.Purpose, of account: Account?, email: EmailAddress,
    newEmail: EmailAddress? = nil, replacedBy replacement: EmailAddress? = nil,
    verifiedAt: Date? = nil, isVoid: Bool = false, isTyped: Bool = false,
    link: CodeLink, now: Date
  ) throws -> IssuedActionCode {
    let text = ActionCode.randomText()
    guard let digest = ActionCode.digest(of: text) else { throw AccountsError.invalidActionCode }
    let languages = MailTask.languages(named: link.language, of: account)
    let language = languages.first
    let address = Secret(link.link(purpose, text, language))
    let typed = isTyped ? IssuedActionCode.Typed.begin() : nil
    let record = ActionCode(
      digest: digest, purpose: purpose, uid: account?.uid, email: email, newEmail: newEmail,
      isVoid: isVoid,
      createdAt: now.wholeMilliseconds,
      expiresAt: now.wholeMilliseconds.addingTimeInterval(purpose.lifetimeSeconds),
      verifiedAt: verifiedAt, session: typed?.session,
      link: keepsLinks && !isVoid ? address : nil)
    return IssuedActionCode(
      record: record, code: Secret(text), link: address,
      mailedLink: Secret(link.mailedLink(purpose, text, language)), typed: typed,
      replacement: replacement, languages: languages)
  }

  /// Stores a code, and the email that delivers it. It takes the place of the emails that are still queued
  /// for the codes that this code makes void.
  ///
  /// - Returns: Whether one of these emails would have been sent, and certainly was not.
  @discardableResult
  func store(
    _ issued: IssuedActionCode, in project: ProjectID, _ transaction: Transaction
  ) throws -> Bool {
    try transaction.insert(issued.record, in: project)
    guard sendsMail else { return false }
    let orderKey = issued.record.mailOrderKey
    let replaced =
      try orderKey.map {
        try transaction.liveOutboxEntries(withOrderKey: $0, limit: 100, in: project)
      } ?? []
    for entry in replaced { _ = try transaction.deleteOutboxEntry(entry.id) }
    try transaction.enqueue(
      .email(MailTask(issued), orderKey: orderKey, in: project, now: issued.record.createdAt))
    return replaced.contains(where: \.isUnsentMail)
  }

  /// Shows a code, after it is stored. Void codes are not shown.
  func show(_ issued: IssuedActionCode?) async {
    guard let issued, let display, !issued.record.isVoid else { return }
    await display.show(
      CodeMessage(
        purpose: issued.record.purpose, recipient: issued.record.recipient,
        email: issued.record.email, link: issued.link, digits: issued.typed?.digits))
  }
}

extension ActionCode {
  /// The order key of the code's email: the same for all codes of which only the newest is valid. Nil if a
  /// newer code doesn't make this one void. Doesn't show the address.
  fileprivate var mailOrderKey: String? {
    let holder: String
    switch purpose {
    case .emailRecovery: return nil
    case .emailSignIn: holder = email.text
    case .passwordReset, .emailVerification, .emailChange:
      holder = uid.map { "uid \($0.text)" } ?? recipient.text
    }
    let digest = Data(SHA256.hash(data: Data(holder.utf8))).base64EncodedString()
    return "code \(purpose.rawValue) \(digest)"
  }
}

extension OutboxEntry {
  /// Whether it is an email that is to be sent, and no attempt has begun.
  fileprivate var isUnsentMail: Bool {
    guard case .sendMail(let task) = task else { return false }
    return !task.isVoid && attempts == 0 && retriedAt == nil
  }
}

/// A code that was just created, with its secrets.
package struct IssuedActionCode: Sendable {
  package let record: ActionCode
  package let code: Secret<String>
  package let link: Secret<String>
  /// The link in the email.
  let mailedLink: Secret<String>
  /// Nil if the code can't be typed.
  package let typed: Typed?
  /// The address that has replaced the account's, for the email with a recovery code.
  let replacement: EmailAddress?
  /// See ``MailTask/languages``.
  let languages: [String]

  /// The six digits that the user can type, with their session.
  package struct Typed: Sendable {
    let session: VerificationSession
    package let sessionID: String
    package let digits: Secret<String>

    fileprivate static func begin() -> Typed {
      let code = VerificationCode.random()
      let (session, id) = VerificationSession.begin(code)
      return Typed(session: session, sessionID: id, digits: code.secret)
    }
  }
}

extension MailTask {
  fileprivate init(_ issued: IssuedActionCode) {
    let code = issued.record
    self.init(
      kind: MailKind(code.purpose), recipient: code.recipient, email: code.email,
      newEmail: code.newEmail ?? issued.replacement,
      uid: code.uid,
      code: MailTask.Code(
        digest: code.digest, link: issued.mailedLink, digits: issued.typed?.digits,
        digitsExpireAt: code.createdAt.addingTimeInterval(ActionCode.digitsLifetimeSeconds)),
      provider: nil,
      languages: issued.languages,
      expiresAt: code.expiresAt,
      isVoid: code.isVoid)
  }
}
