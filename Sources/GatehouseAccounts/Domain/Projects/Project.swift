package import GatehouseModel

/// One application's users and settings. Every row of the database belongs to one.
package struct Project: Sendable {
  package let id: ProjectID
  /// Google's clients show it; it names the project nowhere else.
  package let number: UInt64
  package var displayName: String?
  /// `iss` of the project's ID tokens, and `aud` is its id.
  package let issuer: String
  /// `iss` of its session cookies.
  package var sessionCookieIssuer: String {
    issuer.hasSameBytes(as: Self.firebaseIssuer(of: id))
      ? "https://session.firebase.google.com/\(id)" : "\(issuer)/session"
  }
  /// Hosts that a redirect may return to.
  package var authorizedDomains: [String]
  package var policies: ProjectPolicies

  package init(
    id: ProjectID, number: UInt64, displayName: String? = nil, issuer: String,
    authorizedDomains: [String], policies: ProjectPolicies
  ) {
    self.id = id
    self.number = number
    self.displayName = displayName
    self.issuer = issuer
    self.authorizedDomains = authorizedDomains
    self.policies = policies
  }

  /// Firebase's own `iss`, on which Google's Admin SDKs insist when they speak to an emulator.
  package static func firebaseIssuer(of id: ProjectID) -> String {
    "https://securetoken.google.com/\(id)"
  }
}

/// A project's key for its clients. Not a secret: it names the project and proves nothing.
package struct APIKey: Sendable {
  package let text: String
  package let project: ProjectID
  package var displayName: String?

  package init(text: String, project: ProjectID, displayName: String? = nil) {
    self.text = text
    self.project = project
    self.displayName = displayName
  }
}
