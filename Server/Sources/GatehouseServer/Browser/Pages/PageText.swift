/// A page's text in one language.
struct PageText: Sendable {
  let title: String
  let body: String

  init(_ title: String, _ body: String) {
    self.title = title
    self.body = body
  }
}
