import Hummingbird

/// Decides between a page for a person and an immediate response.
///
/// | | |
/// |---|---|
/// | the mode is ``DialogMode/auto`` | at once |
/// | the request doesn't accept `text/html`, as a browser's does: curl, a library | at once |
/// | one of ``choices`` says what a person would click or enter | at once |
/// | `prompt=none` | at once, without a page: see ``SimulatorState/silentSignIn(_:now:)`` |
/// | `login_hint` names a known person; neither `prompt` nor `auth_type` asks for a page | at once, as this person |
/// | anything else | a page |
struct DialogRule: Sendable {
  enum Verdict: Equatable {
    case atOnce
    case silently
    case page
  }

  /// The simulator's own parameters, by which a test says what a person would click.
  static let choices = ["person", "decision", "email", "declined", "first_name", "last_name"]

  let mode: DialogMode
  let acceptsHTML: Bool

  init(_ mode: DialogMode, _ request: Request) {
    self.mode = mode
    acceptsHTML = request.asksForHTML
  }

  func verdict(_ request: DialogRequest, _ persons: PersonTable) -> Verdict {
    guard mode == .ask, acceptsHTML, !Self.choices.contains(where: { request.form[$0] != nil })
    else { return .atOnce }
    let prompt = request.prompt
    if prompt.contains("none") { return .silently }
    guard let hint = request.form.filled("login_hint"), (try? persons.named(hint)) != nil,
      prompt.isDisjoint(with: ["login", "consent", "select_account"]),
      request.form["auth_type"] == nil
    else { return .page }
    return .atOnce
  }
}
