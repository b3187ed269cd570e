import Foundation
import GatehouseServer
import GatehouseProtocol

/// Where the server sends emails, and in whose name.
struct MailSettings: Sendable {
  var route: Route
  var from: Mailbox
  var replyTo: Mailbox?
  /// Whether the sender is registered for Apple's private relay.
  var isKnownToAppleRelay: Bool

  enum Route: Sendable {
    case server(SMTPServer)
    case webhook(MailWebhook)
  }

  /// Where emails go, as operators read it. A webhook's path is left out: it may be a secret.
  var place: String {
    switch route {
    case .server(let server): "\(server.host):\(server.port)"
    case .webhook(let webhook): "the webhook at \(webhook.url.host)"
    }
  }

  /// How long an attempt may take, in seconds.
  var attemptSeconds: Int {
    switch route {
    case .server(let server): server.timeouts.total
    case .webhook: Self.webhookSeconds
    }
  }

  /// A receiver calls a mail provider before it answers.
  static let webhookSeconds = 20
}

extension SettingReader {
  /// Nil if neither a mail server nor a webhook is given, or, with a fault, if the settings don't fit
  /// together.
  ///
  /// - Parameter publicURL: Its host is the name with which the server greets.
  mutating func mail(publicURL: String?) -> MailSettings? {
    let (ofServer, ofWebhook, ofBoth):
      (
        [any DescribedSetting], [any DescribedSetting], [any DescribedSetting]
      ) = (
        [
          Settings.mailUser, Settings.mailPassword, Settings.mailAuthentication,
          Settings.mailAuthorities,
        ], [Settings.mailWebhookSecret],
        [Settings.mailFrom, Settings.mailReplyTo, Settings.mailAppleRelay]
      )
    let (hasServer, hasWebhook) = (isGiven(Settings.mailServer), isGiven(Settings.mailWebhook))
    if hasServer, hasWebhook {
      fault(
        "both \(Settings.mailServer.key) and \(Settings.mailWebhook.key) are given; give only one")
      return nil
    }
    if !hasServer { refuse(ofServer, without: Settings.mailServer.key) }
    if !hasWebhook { refuse(ofWebhook, without: Settings.mailWebhook.key) }
    guard hasServer || hasWebhook else {
      refuse(ofBoth, without: "\(Settings.mailServer.key) or \(Settings.mailWebhook.key)")
      return nil
    }
    let route = hasServer ? mailServer(publicURL: publicURL) : mailWebhook()
    let (from, replyTo) = (read(Settings.mailFrom), read(Settings.mailReplyTo))
    if !isGiven(Settings.mailFrom) {
      fault(
        "\(hasServer ? Settings.mailServer.key : Settings.mailWebhook.key) is given without "
          + "\(Settings.mailFrom.key): the sender of the server's emails, such as noreply@example.com"
      )
    }
    guard let route, let from else { return nil }
    return MailSettings(
      route: route, from: from, replyTo: replyTo,
      isKnownToAppleRelay: read(Settings.mailAppleRelay) == .registered)
  }

  private mutating func refuse(_ settings: [any DescribedSetting], without key: String) {
    for setting in settings where isGiven(setting) {
      fault("\(setting.key) is given without \(key)")
    }
  }

  private mutating func mailServer(publicURL: String?) -> MailSettings.Route? {
    let server = read(Settings.mailServer)
    let credentials = mailCredentials()
    guard var server else { return nil }
    server.credentials = credentials
    server.certificateAuthorityFile = read(Settings.mailAuthorities)
    if let host = publicURL.flatMap({ URLComponents(string: $0)?.host }) {
      server.greetingName = host
    }
    return .server(server)
  }

  private mutating func mailWebhook() -> MailSettings.Route? {
    let url = read(Settings.mailWebhook)
    let secrets = read(Settings.mailWebhookSecret)
    if !isGiven(Settings.mailWebhookSecret) {
      fault(
        "\(Settings.mailWebhook.key) is given without \(Settings.mailWebhookSecret.key) or "
          + "\(Settings.mailWebhookSecret.key)File: write whsec_ and then the output of `openssl rand -base64 32`"
      )
    }
    guard let url else { return nil }
    return .webhook(MailWebhook(url: url, secrets: secrets))
  }

  private mutating func mailCredentials() -> SMTPServer.Credentials? {
    let user = read(Settings.mailUser)
    let secret = read(Settings.mailPassword)
    let mechanism = read(Settings.mailAuthentication)
    // Its file can't be read, which is a fault already.
    if secret == nil, isGiven(Settings.mailPassword) { return nil }
    switch (user, secret) {
    case (nil, nil): return nil
    case (let user?, let secret?):
      return SMTPServer.Credentials(user: user, secret: secret, mechanism: mechanism)
    case (nil, _):
      fault("the mail server's password is given without \(Settings.mailUser.key)")
    case (_, nil):
      fault(
        "\(Settings.mailUser.key) is given without \(Settings.mailPassword.key) or "
          + "\(Settings.mailPassword.key)File")
    }
    return nil
  }
}

extension Mailbox {
  /// Reads `address` or `Name <address>`.
  ///
  /// - Throws: `MailboxFault`.
  init(setting text: String) throws(MailboxFault) {
    guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
      self = try Mailbox(address: text)
      return
    }
    let name = text[..<start].trimmingCharacters(in: .whitespaces)
    self = try Mailbox(
      address: String(text[text.index(after: start)...].dropLast()),
      name: name.trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
  }
}
