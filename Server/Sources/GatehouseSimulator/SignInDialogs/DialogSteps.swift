import HTTPTypes
import Hummingbird

extension DialogRoutes {
  /// `POST request=…&action=choose|make|continue|cancel`.
  func take(_ form: RequestForm) throws -> Response {
    let (token, now) = (try form.require("request"), store.now)
    switch try form.require("action") {
    case "choose": return try choose(try form.require("person"), token)
    case "make": return try make(form, token)
    case "continue": return try agree(form, token)
    case "cancel":
      let asked = try store.withState { state throws(SimulatorError) in
        try state.endDialog(token, of: provider, now: now)
      }
      return try leave(asked.form.setting("decision", to: "cancel"))
    default: throw SimulatorError.invalidRequest("Unknown action.")
    }
  }

  /// Goes on to the consent page, or back to the client if no consent is needed.
  private func choose(_ id: String, _ token: String) throws -> Response {
    let now = store.now
    let asksForConsent = try store.withState { state throws(SimulatorError) in
      let asked = try state.dialog(token, of: provider, now: now)
      return state.offer(asked, to: try state.persons.named(id)).asksForConsent
    }
    guard asksForConsent else {
      return try agree(try RequestForm(parsing: "").setting("person", to: id), token)
    }
    let query = "request=\(token)&person=\(AuthorizationAnswer.encode(id))"
    return Response(
      status: .seeOther, headers: [.location: "\(path)?\(query)", .cacheControl: "no-store"])
  }

  private func make(_ form: RequestForm, _ token: String) throws -> Response {
    let now = store.now
    let input = PersonPage.Input(
      email: form["email"] ?? "", firstName: form["first_name"] ?? "",
      lastName: form["last_name"] ?? "")
    let asked = try store.withState { state throws(SimulatorError) in
      try state.dialog(token, of: provider, now: now)
    }
    let person: Person
    do throws(SimulatorError) {
      person = try store.withState { state throws(SimulatorError) in
        try state.personOnTheSpot(
          email: input.email, firstName: form.filled("first_name"),
          lastName: form.filled("last_name"))
      }
    } catch {
      var page = PersonPage(DialogForm(action: path, token: token), asked, input: input)
      page.isFull = error.code == "too_many_persons"
      page.isRefused = true
      return page.page.response(asked.language)
    }
    return try choose(person.id, token)
  }

  private func agree(_ form: RequestForm, _ token: String) throws -> Response {
    let (id, now) = (try form.require("person"), store.now)
    let choices = DialogChoices(form)
    try choices.check()
    let (asked, last, declined) = try store.withState { state throws(SimulatorError) in
      let person = try state.persons.named(id)
      let asked = try state.endDialog(token, of: provider, now: now)
      let offer = state.offer(asked, to: person)
      let last = LastSignIn(personID: person.id, at: now)
      state.lastSignIns[provider] = last
      return (asked, last, choices.declined(offer) + provider.kind.declined(asked, offer))
    }
    return try leave(choices.apply(to: asked.form, person: last.personID, declined: declined))
  }

  /// Returns to the client. The response to a form is 303, so that the browser sends a GET (RFC
  /// 9700 §4.12).
  private func leave(_ form: RequestForm) throws -> Response {
    var response = try answer(form, nil)
    if response.status == .found { response.status = .seeOther }
    return response
  }
}
