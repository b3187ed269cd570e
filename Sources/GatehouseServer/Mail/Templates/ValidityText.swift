import Foundation

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
