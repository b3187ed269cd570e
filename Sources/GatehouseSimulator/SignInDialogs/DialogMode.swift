/// Whether a browser that names nobody is shown a page to click.
package enum DialogMode: String, Sendable, Codable, CaseIterable {
  /// A page, where a browser comes.
  case ask
  /// The first person signs in at once and agrees to everything.
  case auto
}
