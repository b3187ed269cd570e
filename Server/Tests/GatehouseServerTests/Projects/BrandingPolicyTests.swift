import Testing

@testable import GatehouseServer

@Suite struct BrandingPolicyTests {
  private func fault(_ change: (inout BrandingPolicy) -> Void) -> String? {
    var policies = ProjectPolicies()
    change(&policies.branding)
    return policies.fault
  }

  private static let maximum =
    "https://a.example/" + String(repeating: "a", count: BrandingPolicy.maximumURLBytes - 18)

  @Test(arguments: [
    ("https://example.com/logo.png?v=2", "https://example.com"),
    ("https://CDN.example.com:8443", "https://CDN.example.com:8443"),
    ("https://192.0.2.1/it's;,/*", "https://192.0.2.1"), (maximum, "https://a.example"),
  ]) func `a URL is https, and its origin alone is a source of pictures`(
    _ url: String, _ origin: String
  ) {
    for place in [\BrandingPolicy.logoURL, \.termsURL, \.privacyURL] {
      #expect(fault { $0[keyPath: place] = url } == nil)
    }
    var branding = BrandingPolicy()
    branding.logoURL = url
    #expect(branding.logoOrigin == origin)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "data:image/svg+xml,x", "http://example.com/",
    "//example.com/", "https:", "https://", "https:///a", "HTTPS://example.com/",
    "https://example.com;script-src/", "https://example.com,https://b.example/", "https://*/",
    "https://'unsafe-inline'/", "https://user@example.com/", "https://user:1@example.com/",
    "https://example.com:/", "https://example.com:+1/", "https://example.com:65536/",
    "https://example.com:1:2/", "https://[2001:db8::1]/", "https://ex\u{E4}mple.com/",
    "https://example.com/a b", "https://example.com/\n", "https://example.com/\"onerror=",
    "https://example.com/<b>", "https://example.com/{{code}}", maximum + "a",
  ]) func `another URL is refused`(_ url: String) {
    for (name, place) in [
      ("logoURL", \BrandingPolicy.logoURL), ("termsURL", \.termsURL), ("privacyURL", \.privacyURL),
    ] {
      #expect(
        fault { $0[keyPath: place] = url }
          == "branding.\(name): “\(url)” is not an https URL of at most 2048 bytes, in visible ASCII and "
          + "without user information")
    }
  }

  @Test(arguments: ["#1d5c4f", "#000000", "#FFFFFF", "#aBcDeF"])
  func `a colour is six digits`(_ text: String) {
    #expect(fault { $0.color = text } == nil)
  }

  @Test(arguments: [
    "1d5c4f", "#1d5c4", "#1d5c4f0", "#fff", "green", "#+d5c4f", "#-d5c4f", "#1d5c4g", "# d5c4f",
    "#1d5c4f}", "#fff;}*{", "url(//a)", "#\u{661}00000", "#1d5c4f\u{301}", "#1d5c4f\n",
  ]) func `another text is no colour`(_ text: String) {
    #expect(
      fault { $0.color = text } == "branding.color: “\(text)” is not a colour such as #1d5c4f")
  }

  /// The ratios are those of WCAG's definition, as published for these pairs.
  @Test func `the contrast is WCAG's`() throws {
    #expect(RGBColor.white.contrast(to: .black) == 21)
    for (color, ratio) in [
      ("#767676", 4.54), ("#777777", 4.48), ("#ff0000", 4.0), ("#0000ff", 8.59),
    ] {
      let contrast = try #require(RGBColor(color)).contrast(to: .white)
      #expect(abs(contrast - ratio) < 0.005)
    }
  }

  @Test func `all text is readable, whatever the colour`() throws {
    let steps = stride(from: 0, through: 255, by: 15)
    for red in steps {
      for green in steps {
        for blue in steps {
          let accent = AccentColors(RGBColor(red: red, green: green, blue: blue))
          for (one, other) in [
            (accent.onButton, accent.button), (accent.link, "#ffffff"),
            (accent.darkButton, AccentColors.darkCard.text),
            (accent.onDarkButton, accent.darkButton),
          ] {
            let contrast = try #require(RGBColor(one)).contrast(to: try #require(RGBColor(other)))
            if contrast < 4.5 { Issue.record("\(one) on \(other) of \(red),\(green),\(blue)") }
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("#1D5C4F", "#1d5c4f", "#ffffff", "#1d5c4f", false),
    ("#ffd60a", "#ffd60a", "#000000", "#8c7505", true),
    ("#ffffff", "#ffffff", "#000000", "#727272", true),
  ]) func `a readable colour stays, another one gets darker`(
    _ color: String, _ button: String, _ text: String, _ link: String, _ needsBorder: Bool
  ) throws {
    let accent = AccentColors(try #require(RGBColor(color)))
    #expect(accent.button == button)
    #expect(accent.onButton == text)
    #expect(accent.link == link)
    #expect(accent.needsBorder == needsBorder)
  }

  @Test func `in dark mode a dark colour gets lighter, and a light one stays`() throws {
    #expect(AccentColors(.black).darkButton == "#8c8c8c")
    #expect(AccentColors(try #require(RGBColor("#7fd1bb"))).darkButton == "#7fd1bb")
  }
}
