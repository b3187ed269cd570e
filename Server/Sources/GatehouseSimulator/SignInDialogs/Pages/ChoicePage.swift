/// The page to choose an account: a button for each person, and one for another person.
struct ChoicePage: Sendable {
  let form: DialogForm
  let request: DialogRequest
  let persons: [Person]
  let last: String?

  init(_ form: DialogForm, _ request: DialogRequest, persons: [Person], last: String?) {
    self.form = form
    self.request = request
    self.persons = persons
    self.last = last
  }

  var page: DialogPage {
    DialogPage(step: "choose", provider: request.provider) { texts in
      let buttons = persons.map { button($0, texts) }
      let list =
        "<input type=\"hidden\" name=\"action\" value=\"choose\">"
        + "<ul class=\"persons\">\(buttons.joined(separator: "\n"))</ul>"
      let body = [
        "<p class=\"quiet\">\(HTML.escape(texts.toGoOn(request.clientName)))</p>",
        form.html(list),
        form.link("another", texts.another, step: "person"),
        form.cancel(texts),
      ]
      return (texts.chooseTitle(request.provider.displayName), body.joined(separator: "\n"))
    }
  }

  private func button(_ person: Person, _ texts: DialogTexts) -> String {
    let id = HTML.escape(person.id)
    let isLast = last.map { $0.isSame(as: person.id) } == true
    let hint = isLast ? " · \(HTML.escape(texts.usedLast))" : ""
    return "<li><button id=\"person-\(id)\" name=\"person\" value=\"\(id)\">"
      + "<strong>\(HTML.escape(person.name ?? person.id))</strong>"
      + "<span class=\"quiet\">\(HTML.escape(person.email))\(hint)</span></button></li>"
  }
}
