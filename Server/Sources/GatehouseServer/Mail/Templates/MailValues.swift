import Foundation
package import GatehouseProtocol

/// The values for a template. A name without a value is empty text, and its section is left out.
package struct MailValues: Sendable {
  package let appName: String
  /// The account's address.
  package let email: String
  /// The account's name. ``ShownName`` decides whether it is shown.
  package var displayName: String?
  package var newEmail: String?
  package var providerName: String?
  package var link: Secret<String>?
  /// Six digits.
  package var code: Secret<String>?
  /// How long the link is valid. For ``MailKind/deletionScheduled``: the time until the deletion.
  package var validity: Duration?
  package var branding = BrandingPolicy()

  package init(appName: String, email: String) {
    self.appName = appName
    self.email = email
  }

  /// As plain text.
  func values(in language: MailLanguage) -> [MailName: String] {
    var values: [MailName: String] = [:]
    values[.appName] = HeaderText.line(appName, maximumLength: 100)
    values[.email] = HeaderText.line(email, maximumLength: 256)
    values[.newEmail] = newEmail.map { HeaderText.line($0, maximumLength: 256) }
    values[.displayName] = displayName.flatMap(ShownName.shown)
    values[.providerName] = providerName.map { HeaderText.line($0, maximumLength: 100) }
    values[.link] = link.map { HeaderText.line($0.reveal(), maximumLength: 8192) }
    values[.code] = code.map { HeaderText.line($0.reveal(), maximumLength: 32) }
    values[.expiry] = validity.map { ValidityText.text($0, in: language) }
    let maximumURL = BrandingPolicy.maximumURLBytes
    values[.logoURL] = HeaderText.line(branding.logoURL, maximumLength: maximumURL)
    values[.termsURL] = HeaderText.line(branding.termsURL, maximumLength: maximumURL)
    values[.privacyURL] = HeaderText.line(branding.privacyURL, maximumLength: maximumURL)
    return values.filter { !$0.value.isEmpty }
  }
}

/// How long something is valid, in words: `1 hour`, `3 Tage`, `30 phút`.
enum ValidityText {
  /// Whole days or hours if they are exact, otherwise minutes, rounded down; at least one minute. The
  /// words are those of Unicode's CLDR for the language.
  static func text(_ duration: Duration, in language: MailLanguage) -> String {
    let minutes = max(1, duration.components.seconds / 60)
    let (unit, count): (Duration.UnitsFormatStyle.Unit, Int64) =
      if minutes.isMultiple(of: 24 * 60) {
        (.days, minutes / (24 * 60))
      } else if minutes.isMultiple(of: 60) {
        (.hours, minutes / 60)
      } else {
        (.minutes, minutes)
      }
    let seconds: Int64 = unit == .days ? 86400 : unit == .hours ? 3600 : 60
    let style = Duration.UnitsFormatStyle(allowedUnits: [unit], width: .wide)
      .locale(Locale(identifier: language.text))
    return Duration.seconds(count.multipliedReportingOverflow(by: seconds).partialValue)
      .formatted(style)
  }
}
