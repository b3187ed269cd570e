import GatehouseServer
import Testing

/// Templates that nobody would write: each is refused, or escapes what it is given.
@Suite struct RandomTemplateTests {
  private static let pieces = [
    "{", "}", "{{", "}}", "{{{", "}}}", "#", "^", "/", "!", "&", ">", "<", "$", "=", "%", "*", ".",
    "(", ")",
    " ", "\n", "\r\n", "\u{301}", "displayName", "appName", "CONTENT_TYPE: HTML", "uppercased",
    "%LINK%",
    "%APP_NAME%", "{{displayName}}", "{{#displayName}}", "{{/displayName}}", "{{^code}}",
    "{{/code}}",
    "{{! x }}", "{%DISPLAY_NAME%}", "text",
  ]
  private static let hostile = "<x y=\"z\u{338}' &"

  @Test(arguments: 0..<8)
  func `no accepted template writes a value unescaped`(seed: UInt64) throws {
    var generator = Generator(state: seed + 1)
    var values = MailValues(appName: Self.hostile, email: Self.hostile)
    values.displayName = Self.hostile
    var accepted = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 1...12, using: &generator)
      let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }
        .joined()
      guard
        let template = try? MailTemplate(
          subject: "x", text: "x", html: text, for: .passwordChanged)
      else { continue }
      accepted += 1
      let html = template.rendered(values, in: .english).reveal().html ?? ""
      #expect(!html.utf8.contains("<x".utf8), "\(text.debugDescription)")
      #expect(!html.utf8.contains("\"z".utf8), "\(text.debugDescription)")
    }
    #expect(accepted > 50)
  }
}

/// SplitMix64: the same templates in each run.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
