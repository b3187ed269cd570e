import Foundation
import HTTPTypes

/// An authorization request that waits until a person has clicked.
///
/// Checked before it is kept: whoever opens a page has been told already where it leads.
struct DialogRequest: Sendable {
  let provider: Provider
  /// As it came, without anything that a person has chosen.
  let form: RequestForm
  let language: DialogLanguage
  let expiresAt: Date
  /// A page that was answered isn't answered again.
  var isAnswered = false

  /// How long a page can be answered, in seconds.
  static let lifetime = 1_800
  /// Of names and values, in bytes: as much as a browser's address takes.
  static let maximumBytes = 16_384

  var clientID: String { form["client_id"] ?? "" }

  var scopes: Set<Scope> { provider.kind.askedScopes(form) }

  var prompt: Set<String> { provider.kind.prompt(form) }
}

extension SimulatorState {
  /// Keeps a request for a page.
  ///
  /// - Returns: The secret that the page's forms carry: 256 random bits, good for one answer. Another
  ///   site's page can't read it, so it can't answer in the person's place.
  mutating func keep(_ request: DialogRequest) -> String {
    let token = RandomToken.base64(bytes: 32)
    dialogs.set(request, for: Identifier(token))
    return token
  }

  /// - Throws: `sheet_not_found` for a page that is nobody's, of another provider, answered, expired,
  ///   or pushed out by newer ones.
  func dialog(
    _ token: String, of provider: Provider, now: Date
  ) throws(SimulatorError) -> DialogRequest {
    guard let request = dialogs[Identifier(token)], request.provider == provider,
      !request.isAnswered, now < request.expiresAt
    else {
      throw SimulatorError(
        .badRequest, "sheet_not_found", "This page was answered, or is too old. Begin again.")
    }
    return request
  }

  /// Ends a page, just before it is answered.
  ///
  /// - Throws: `sheet_not_found`.
  mutating func endDialog(
    _ token: String, of provider: Provider, now: Date
  ) throws(SimulatorError) -> DialogRequest {
    var request = try dialog(token, of: provider, now: now)
    request.isAnswered = true
    dialogs.set(request, for: Identifier(token))
    return request
  }
}

/// Who clicked last at a provider, and when: as good as a session there.
struct LastSignIn: Sendable {
  let personID: String
  let at: Date
}
