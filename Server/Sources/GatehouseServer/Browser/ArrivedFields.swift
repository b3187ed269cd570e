import GatehouseProtocol

import struct Foundation.Date

/// A provider's response as it arrived through a browser: in a query, a form, or a fragment.
struct ArrivedFields: Sendable {
  /// The known fields, within their length limits.
  let fields: [(name: String, value: String)]

  private static let maximumBytes: [(name: String, bytes: Int)] = [
    ("state", 8192), ("code", 4096), ("id_token", 12_288), ("error", 256), ("iss", 2048),
  ]
  /// What is kept of Apple's `user`: a name of two parts, and nothing else.
  private static let firstName = "firstName"
  private static let lastName = "lastName"

  /// Whether a query contains a provider's response.
  static func isAnswer(_ query: FormFields) -> Bool {
    ["state", "code", "id_token", "error"].contains { query[$0] != nil }
  }

  /// Restores the fields that were sealed.
  init(_ fields: [(name: String, value: String)]) { self.fields = fields }

  /// - Throws: ``HandlerFault`` for a field that is repeated or too long.
  init(_ form: FormFields) throws(HandlerFault) {
    let names = Self.maximumBytes.map(\.name) + ["user"]
    if let name = form.repeated(of: names) { throw .parameter(name) }
    var fields: [(name: String, value: String)] = []
    for (name, bytes) in Self.maximumBytes {
      guard let value = form[name], !value.isEmpty else { continue }
      guard value.utf8.count <= bytes else { throw .parameter(name) }
      fields.append((name, value))
    }
    // An invalid name is ignored: a sign-in must not fail because of it.
    let name = form["user"].flatMap { UserName(json: $0) }
    if let first = name?.firstName { fields.append((Self.firstName, first)) }
    if let last = name?.lastName { fields.append((Self.lastName, last)) }
    self.fields = fields
  }

  subscript(name: String) -> String? { fields.first { $0.name.hasSameBytes(as: name) }?.value }

  /// The response that the app redeems.
  ///
  /// - Throws: `AccountsError.browserSignIn` if the provider refused or its response lacks the
  ///   requested code or token, `AccountsError.providerDisabled`, and `FederationError` if the
  ///   response is from another issuer.
  func answer(
    to signIn: BrowserSignIn, _ services: APIServices, now: Date
  ) async throws -> BrowserAnswer {
    if let error = self["error"] {
      throw AccountsError.browserSignIn(.refusedByProvider(Self.errorName(error)))
    }
    guard
      let configuration = try await services.projects.provider(
        signIn.provider, in: signIn.project), configuration.isEnabled
    else { throw AccountsError.providerDisabled }
    try await services.federation.checkIssuer(
      self["iss"], ofAnswerFor: configuration, now: now)
    let proof: BrowserAnswer.Proof? =
      switch signIn.response {
      case .code: self["code"].map { .code(Secret($0)) }
      case .idToken: self["id_token"].map { .idToken(Secret($0)) }
      }
    guard let proof else { throw AccountsError.browserSignIn(.answerMissing) }
    return BrowserAnswer(
      to: signIn, proof, issuer: self["iss"],
      userName: UserName(firstName: self[Self.firstName], lastName: self[Self.lastName]),
      arrivedAt: now)
  }

  /// The name of an error. A text of another form, which a provider or the author of the URL may
  /// have put there, becomes `unknown`.
  static func errorName(_ text: String) -> String {
    let isName =
      (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || "_-.".utf8.contains(byte)
      }
    return isName ? text : "unknown"
  }
}
