/// The choices of a person on the consent page.
struct DialogChoices: Sendable {
  private static let maximumNameBytes = 256

  /// `share` or `hide`.
  private let email: String?
  private let firstName: String?
  private let lastName: String?
  private let allowed: Set<Scope>

  init(_ form: RequestForm) {
    email = ["share", "hide"].first { form["email"]?.isSame(as: $0) == true }
    firstName = form["first_name"]
    lastName = form["last_name"]
    allowed = Set(form["allow_email"] == nil ? [] : [.email])
  }

  /// - Throws: `invalid_request` if a part of the name is longer than 256 bytes.
  func check() throws(SimulatorError) {
    for name in [firstName, lastName] where (name?.utf8.count ?? 0) > Self.maximumNameBytes {
      throw .invalidRequest("Each part of the name must be at most \(Self.maximumNameBytes) bytes.")
    }
  }

  /// The declinable scopes that the person unticked.
  func declined(_ offer: DialogOffer) -> [Scope] {
    offer.declinable.filter { !allowed.contains($0) }
  }

  /// The request with the choices as parameters, as a test would send it.
  func apply(to form: RequestForm, person: String, declined: [Scope]) -> RequestForm {
    var form = form.setting("person", to: person)
    if let email { form = form.setting("email", to: email) }
    if let firstName { form = form.setting("first_name", to: firstName) }
    if let lastName { form = form.setting("last_name", to: lastName) }
    guard !declined.isEmpty else { return form }
    return form.setting("declined", to: declined.map(\.rawValue).joined(separator: ","))
  }
}
