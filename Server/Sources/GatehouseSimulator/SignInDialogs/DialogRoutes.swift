import Foundation
import HTTPTypes
import Hummingbird

/// The pages on which a person signs in at a provider and agrees: `/<provider>/sheet`.
///
/// ```
///   authorization endpoint ──► who?  ──► POST choose ──► 303 ──► agree? ──► POST continue ──┐
///                               │                                  └──► POST cancel ────────┤
///                               └──► other person: POST make ──► 303 ──► agree?             ▼
///                                                            the endpoint's response, as if
///                                                            the request contained the choices
/// ```
///
/// The browser stores nothing. The simulator stores the request under the secret in the pages'
/// forms.
struct DialogRoutes: Sendable {
  let store: SimulatorStore
  let provider: Provider
  /// Returns the authorization endpoint's response for a request that contains the person's
  /// choices.
  let answer: @Sendable (_ form: RequestForm, _ authenticated: LastSignIn?) throws -> Response

  var path: String { "/\(provider.rawValue)/sheet" }

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("sheet") { request, _ in try show(request) }
    group.post("sheet") { request, _ in try await take(request) }
  }

  /// Shows a page again.
  func show(_ request: Request) throws -> Response {
    try page(request) { try show(try RequestForm.query(request)) }
  }

  /// Handles a click.
  func take(_ request: Request) async throws -> Response {
    let limit = store.configuration.limits.bodyBytes
    let form = try await RequestForm.body(request, limit: limit)
    return try page(request) { try take(form) }
  }

  /// The first page for an authorization request, or a response if no page is needed.
  ///
  /// - Parameter form: A valid request.
  /// - Returns: Nil if the endpoint responds as it does to a test.
  /// - Throws: Errors of a request with `prompt=none`, which are sent to the client;
  ///   `invalid_request`.
  func begin(_ form: RequestForm, _ request: Request) throws -> Response? {
    let now = store.now
    let asked = DialogRequest(
      provider: provider, form: form, language: DialogLanguage(form, request.headers),
      expiresAt: now.addingTimeInterval(Double(DialogRequest.lifetime)))
    if asked.prompt.contains("none"), asked.prompt.count > 1 {
      throw SimulatorError.invalidRequest("prompt=none can't be combined with another value.")
    }
    let (mode, persons) = store.withState { ($0.dialogMode, $0.persons) }
    switch DialogRule(mode, request).verdict(asked, persons) {
    case .atOnce: return nil
    case .silently:
      let last = try store.withState { state throws(SimulatorError) in
        try state.silentSignIn(asked, now: now)
      }
      return try answer(form.setting("person", to: last.personID), last)
    case .page:
      guard form.byteCount <= DialogRequest.maximumBytes else {
        throw SimulatorError.invalidRequest("The request is too long.")
      }
      let page = store.withState { state in
        let token = state.keep(asked)
        return firstStep(asked, token, state)
      }
      return page.response(asked.language)
    }
  }

  /// The consent page for the person of the hint, unless the client wants an account to be chosen.
  private func firstStep(
    _ asked: DialogRequest, _ token: String, _ state: SimulatorState
  ) -> DialogPage {
    if let hint = asked.form.filled("login_hint"), let person = try? state.persons.named(hint),
      asked.prompt.isDisjoint(with: ["login", "select_account"])
    {
      return consentPage(asked, token, state.offer(asked, to: person))
    }
    return choicePage(asked, token, state)
  }

  private func choicePage(
    _ asked: DialogRequest, _ token: String, _ state: SimulatorState
  ) -> DialogPage {
    let form = DialogForm(action: path, token: token)
    let persons = state.persons(for: asked)
    return persons.isEmpty
      ? PersonPage(form, asked, input: .init(email: asked.form["login_hint"] ?? "")).page
      : ChoicePage(
        form, asked, persons: persons, last: state.lastSignIns[provider]?.personID
      ).page
  }

  private func consentPage(
    _ asked: DialogRequest, _ token: String, _ offer: DialogOffer
  ) -> DialogPage {
    ConsentPage(DialogForm(action: path, token: token), asked, offer: offer).page
  }

  // MARK: Showing a page

  /// `GET ?request=…[&person=…|&step=person]`: shows a page again, and changes nothing.
  private func show(_ form: RequestForm) throws -> Response {
    let (token, now) = (try form.require("request"), store.now)
    let (page, language) = try store.withState { state throws(SimulatorError) in
      let asked = try state.dialog(token, of: provider, now: now)
      if let id = form.filled("person") {
        let person = try state.persons.named(id)
        return (consentPage(asked, token, state.offer(asked, to: person)), asked.language)
      }
      if form["step"] == "person" {
        let page = PersonPage(
          DialogForm(action: path, token: token), asked,
          input: .init(email: asked.form["login_hint"] ?? ""))
        return (page.page, asked.language)
      }
      return (choicePage(asked, token, state), asked.language)
    }
    return page.response(language)
  }

  /// Shows a page for the error `sheet_not_found`. Throws other errors on.
  private func page(_ request: Request, _ body: () throws -> Response) throws -> Response {
    do {
      return try body()
    } catch let error as SimulatorError where error.code == "sheet_not_found" {
      let none = RequestForm.empty
      return EndedPage(provider).page.response(DialogLanguage(none, request.headers))
    }
  }
}
