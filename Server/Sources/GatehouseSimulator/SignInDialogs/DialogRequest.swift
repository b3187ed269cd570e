import Foundation
import HTTPTypes

/// An authorization request that waits for a person's click.
///
/// It was checked before it was stored, so every page belongs to a verified redirect URI.
struct DialogRequest: Sendable {
  let provider: Provider
  /// The original parameters, without the person's choices.
  let form: RequestForm
  let language: DialogLanguage
  let expiresAt: Date
  /// A page accepts one answer only.
  var isAnswered = false

  /// How long a page can be answered, in seconds.
  static let lifetime = 1_800
  /// The maximum size of names and values, in bytes: about what a browser allows in an address.
  static let maximumBytes = 16_384

  var clientID: String { form["client_id"] ?? "" }

  var scopes: Set<Scope> { provider.kind.askedScopes(form) }

  var prompt: Set<String> { provider.kind.prompt(form) }
}

extension SimulatorState {
  /// Stores a request for a page.
  ///
  /// - Returns: The secret in the page's forms: 256 random bits, valid for one answer. A page of
  ///   another site can't read it, so it can't answer for the person.
  mutating func keep(_ request: DialogRequest) -> String {
    let token = RandomToken.base64(bytes: 32)
    dialogs.set(request, for: Identifier(token))
    return token
  }

  /// - Throws: `sheet_not_found` for a page that doesn't exist, belongs to another provider, was
  ///   answered, has expired, or was removed for newer ones.
  func dialog(
    _ token: String, of provider: Provider, now: Date
  ) throws(SimulatorError) -> DialogRequest {
    guard let request = dialogs[Identifier(token)], request.provider == provider,
      !request.isAnswered, now < request.expiresAt
    else {
      throw SimulatorError(
        .badRequest, "sheet_not_found", "This page was answered or is too old. Begin again.")
    }
    return request
  }

  /// Marks a page as answered, before the answer is sent.
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

/// The person who last signed in at a provider on a page, and when. It serves as a session there.
struct LastSignIn: Sendable {
  let personID: String
  let at: Date
}
