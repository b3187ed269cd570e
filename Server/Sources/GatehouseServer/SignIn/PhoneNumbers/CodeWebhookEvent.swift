import Foundation
package import GatehouseProtocol

/// The body of a webhook's request: `{type, timestamp, data}`, as Standard Webhooks recommends.
package enum CodeWebhookEvent: Sendable {
  /// The receiver is to send this code to this number.
  case verificationCode(PhoneCodeMessage)
  /// The receiver is to send nothing: an operator tests whether the webhook works.
  case test(project: ProjectID)

  package var type: String {
    switch self {
    case .verificationCode: "phone.verification_code"
    case .test: "phone.test"
    }
  }

  package var project: ProjectID {
    switch self {
    case .verificationCode(let message): message.project
    case .test(let project): project
    }
  }

  /// The body as JSON.
  func body(now: Date) -> Secret<[UInt8]> {
    var writer = JSONWriter()
    writer.object { event in
      event.member("type", type)
      event.member("timestamp", Self.text(now))
      event.object("data") { data in
        switch self {
        case .verificationCode(let message): Self.write(message, to: &data)
        case .test(let project): data.member("project", project.text)
        }
      }
    }
    return Secret(writer.bytes)
  }

  private static func write(_ message: PhoneCodeMessage, to data: inout JSONWriter) {
    data.member("project", message.project.text)
    data.member("appName", message.appName)
    data.member("phoneNumber", message.phoneNumber.text)
    data.member("code", message.code.reveal())
    data.member("message", CodeText.text(of: message))
    data.member("language", ifPresent: message.language)
    data.member("expiresAt", text(message.expiresAt))
  }

  /// RFC 3339, in whole seconds.
  private static func text(_ date: Date) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    return whole.formatted(.iso8601)
  }
}

/// The text for the message, in the language that the client requested if the server has it, otherwise
/// in English. The account's language isn't read: the response's time would show whether an account has
/// the number.
enum CodeText {
  static func text(of message: PhoneCodeMessage) -> String {
    let code = message.code.reveal()
    let name = message.appName
    let language =
      message.language?.utf8.prefix { (0x41...0x7A).contains($0) }
      .map(\.asciiLowercased) ?? []
    return switch String(decoding: language, as: UTF8.self) {
    case "de": "\(code) ist dein Bestätigungscode für \(name)."
    case "vi": "\(code) là mã xác minh \(name) của bạn."
    default: "\(code) is your verification code for \(name)."
    }
  }
}
