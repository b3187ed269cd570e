import Foundation

/// How a project's pages and emails look. An empty value leaves out what it is for. The name that they show is
/// the project's display name.
package struct BrandingPolicy: Hashable, Sendable, Codable {
  /// A picture, which readers' browsers and mail programs load from there.
  package var logoURL = ""
  /// `#rrggbb`: the colour of buttons and links. See ``AccentColors``.
  package var color = ""
  package var termsURL = ""
  package var privacyURL = ""

  package static let maximumURLBytes = 2048

  package init() {}

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    logoURL = try values.value(.logoURL, or: logoURL)
    color = try values.value(.color, or: color)
    termsURL = try values.value(.termsURL, or: termsURL)
    privacyURL = try values.value(.privacyURL, or: privacyURL)
  }

  var isEmpty: Bool { self == BrandingPolicy() }

  /// Nil without a colour.
  var accent: AccentColors? { RGBColor(color).map(AccentColors.init) }

  /// The part of the logo's URL before its path, as a source of a content security policy.
  var logoOrigin: String? { Self.origin(of: logoURL).map { Self.scheme + $0 } }

  /// A message about the first value that can't be used, with its name; nil if there is none.
  var fault: String? {
    for (name, url) in [("logoURL", logoURL), ("termsURL", termsURL), ("privacyURL", privacyURL)]
    where !url.isEmpty && !Self.isValid(url) {
      return
        "\(name): “\(url)” is not an https URL of at most \(Self.maximumURLBytes) bytes, in visible "
        + "ASCII and without user information"
    }
    if !color.isEmpty, RGBColor(color) == nil {
      return "color: “\(color)” is not a colour such as #1d5c4f"
    }
    return nil
  }

  private static let scheme = "https://"

  private static func isValid(_ url: String) -> Bool {
    url.utf8.count <= maximumURLBytes && url.utf8.allSatisfy(isPlain) && origin(of: url) != nil
  }

  /// `host[:port]`. The host is a name or an IPv4 address of letters, digits, hyphens and dots, so that it
  /// can't end a source of a content security policy or be one of its wildcards (CSP Level 3 §2.3.1).
  private static func origin(of url: String) -> String? {
    guard url.utf8.starts(with: scheme.utf8) else { return nil }
    let authority = url.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let host = parts.first, (1...253).contains(host.count), host.allSatisfy(isOfHost),
      parts.count == 1
        || parts.count == 2 && UInt16(String(decoding: parts[1], as: UTF8.self)) != nil
          && parts[1].first != UInt8(ascii: "+")
    else { return nil }
    return String(decoding: authority, as: UTF8.self)
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-.".utf8.contains(byte)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }
}

/// The colours that follow from a project's colour. Text in them and on them is readable: its contrast is at
/// least 4.5 to 1 (WCAG 2.2 §1.4.3, level AA). Each is `#rrggbb`.
struct AccentColors: Hashable, Sendable {
  /// The project's colour itself.
  let button: String
  let onButton: String
  /// Whether the button is hard to see on a white page: less than 3 to 1 (WCAG 2.2 §1.4.11).
  let needsBorder: Bool
  /// Of text on a white page: the project's colour, or a darker one.
  let link: String
  /// On a dark page, of buttons and text: the project's colour, or a lighter one.
  let darkButton: String
  let onDarkButton: String

  /// The background of ``PageStyle`` and `MailLayout` in dark mode. The rest of a page is darker.
  static let darkCard = RGBColor(red: 0x1E, green: 0x1E, blue: 0x21)

  init(_ color: RGBColor) {
    let dark = color.readable(on: Self.darkCard, mixing: .white)
    button = color.text
    onButton = color.textColor.text
    needsBorder = color.contrast(to: .white) < 3
    link = color.readable(on: .white, mixing: .black).text
    darkButton = dark.text
    onDarkButton = dark.textColor.text
  }
}

/// A colour of sRGB.
struct RGBColor: Hashable, Sendable {
  /// 0 to 255.
  let red, green, blue: Int

  static let white = RGBColor(red: 255, green: 255, blue: 255)
  static let black = RGBColor(red: 0, green: 0, blue: 0)
  private static let minimumContrast = 4.5

  init(red: Int, green: Int, blue: Int) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// - Parameter text: Exactly `#` and six hexadecimal digits, because it gets into styles.
  init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }),
      let value = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    self.init(red: value >> 16, green: value >> 8 & 0xFF, blue: value & 0xFF)
  }

  /// Six digits, in lower case.
  var text: String {
    "#" + String(0x100_0000 + (red << 16) + (green << 8) + blue, radix: 16).dropFirst()
  }

  /// White for text on this colour, or black where white isn't readable. One of them always is.
  var textColor: RGBColor { contrast(to: .white) >= Self.minimumContrast ? .white : .black }

  /// From 1 to 21 (WCAG 2.2, "contrast ratio").
  func contrast(to other: RGBColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// This colour, or the mixture with `other` that is readable on `background` with the least of it.
  func readable(on background: RGBColor, mixing other: RGBColor) -> RGBColor {
    (0...20).lazy.map { mixed(with: other, twentieths: $0) }
      .first { $0.contrast(to: background) >= Self.minimumContrast } ?? other
  }

  private func mixed(with other: RGBColor, twentieths: Int) -> RGBColor {
    func mixed(_ own: Int, _ other: Int) -> Int {
      (own * (20 - twentieths) + other * twentieths) / 20
    }
    return RGBColor(
      red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
  }

  /// WCAG 2.2, "relative luminance".
  private var luminance: Double {
    func linear(_ value: Int) -> Double {
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
