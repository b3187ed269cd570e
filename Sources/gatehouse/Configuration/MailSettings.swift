import Foundation
import GatehouseMail
import GatehouseModel

/// Where the server sends emails, and in whose name.
struct MailSettings: Sendable {
  var server: SMTPServer
  var from: Mailbox
  var replyTo: Mailbox?
  /// Whether the sender is registered for Apple's private relay.
  var isKnownToAppleRelay: Bool
}

extension SettingReader {
  /// Nil if no mail server is given, or, with a fault, if the settings don't fit together.
  ///
  /// - Parameter publicURL: Its host is the name with which the server greets.
  mutating func mail(publicURL: String?) -> MailSettings? {
    guard isGiven(Settings.mailServer) else {
      let others: [any DescribedSetting] = [
        Settings.mailFrom, Settings.mailReplyTo, Settings.mailUser, Settings.mailPassword,
        Settings.mailPasswordFile, Settings.mailAuthentication, Settings.mailAuthorities,
        Settings.mailAppleRelay,
      ]
      for setting in others where isGiven(setting) {
        fault("\(setting.key) is given without \(Settings.mailServer.key)")
      }
      return nil
    }
    let (server, from, replyTo) = (
      read(Settings.mailServer), read(Settings.mailFrom), read(Settings.mailReplyTo)
    )
    if !isGiven(Settings.mailFrom) {
      fault(
        "\(Settings.mailServer.key) is given without \(Settings.mailFrom.key): the sender of the "
          + "server's emails, such as noreply@example.com")
    }
    let credentials = mailCredentials()
    guard var server, let from else { return nil }
    server.credentials = credentials
    server.certificateAuthorityFile = read(Settings.mailAuthorities)
    if let host = publicURL.flatMap({ URLComponents(string: $0)?.host }) {
      server.greetingName = host
    }
    return MailSettings(
      server: server, from: from, replyTo: replyTo,
      isKnownToAppleRelay: read(Settings.mailAppleRelay) == .registered)
  }

  private mutating func mailCredentials() -> SMTPServer.Credentials? {
    let user = read(Settings.mailUser)
    var secret = read(Settings.mailPassword)
    let mechanism = read(Settings.mailAuthentication)
    if let file = read(Settings.mailPasswordFile) {
      if secret != nil {
        fault(
          "both \(Settings.mailPassword.key) and \(Settings.mailPasswordFile.key) are given; give "
            + "only one")
      }
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        fault("\(Settings.mailPasswordFile.key): “\(file)” can't be read")
        return nil
      }
      // Editors end a file with a line break.
      secret = Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    switch (user, secret) {
    case (nil, nil): return nil
    case (let user?, let secret?):
      return SMTPServer.Credentials(user: user, secret: secret, mechanism: mechanism)
    case (nil, _):
      fault("the mail server's password is given without \(Settings.mailUser.key)")
    case (_, nil):
      fault(
        "\(Settings.mailUser.key) is given without \(Settings.mailPassword.key) or "
          + Settings.mailPasswordFile.key)
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
