import HTTPTypes

/// The page to sign in as a person who isn't listed, or who doesn't exist yet.
struct PersonPage: Sendable {
  /// The entered text, to be shown again if it is rejected.
  struct Input: Sendable {
    var email = ""
    var firstName = ""
    var lastName = ""
  }

  let form: DialogForm
  let request: DialogRequest
  let input: Input
  var isRefused = false
  /// Whether the limit of persons is reached.
  var isFull = false

  init(_ form: DialogForm, _ request: DialogRequest, input: Input) {
    self.form = form
    self.request = request
    self.input = input
  }

  var page: DialogPage {
    var page = DialogPage(step: "person", provider: request.provider) { texts in
      let fields = [
        isRefused
          ? "<p id=\"wrong\" class=\"wrong\" role=\"alert\">"
            + "\(HTML.escape(isFull ? texts.full : texts.emailRefused))</p>" : "",
        DialogForm.text(
          "email", texts.email, input.email, type: "email", autocomplete: "off",
          more: isRefused
            ? " required aria-invalid=\"true\" aria-describedby=\"wrong\"" : " required"),
        DialogForm.text("first_name", texts.firstName, input.firstName, autocomplete: "off"),
        DialogForm.text("last_name", texts.lastName, input.lastName, autocomplete: "off"),
        DialogForm.goOn("make", texts),
      ]
      let body = [
        "<p class=\"quiet\">\(HTML.escape(texts.anotherBody))</p>",
        form.html(fields.joined(separator: "\n")),
        form.link("back", texts.back, step: nil),
      ]
      return (texts.anotherTitle, body.joined(separator: "\n"))
    }
    if isRefused { page.status = .badRequest }
    return page
  }
}
