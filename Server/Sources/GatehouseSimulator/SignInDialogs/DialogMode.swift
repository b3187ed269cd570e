/// Whether a browser that names no person gets pages.
package enum DialogMode: String, Sendable, Codable, CaseIterable {
  /// Browsers get pages.
  case ask
  /// The first person signs in at once and agrees to everything.
  case auto
}
