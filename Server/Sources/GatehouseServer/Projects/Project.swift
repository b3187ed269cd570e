package import GatehouseProtocol

/// One application's accounts and settings. Every account belongs to one project.
package struct Project: Sendable {
  package let id: ProjectID
  /// Google's clients get the project's number, and app ids contain it. Nothing is looked up by it.
  package let number: UInt64
  package var displayName: String?
  /// `iss` of the project's ID tokens. Their `aud` is the project's id.
  package let issuer: String
  /// `iss` of its session cookies.
  package var sessionCookieIssuer: String {
    issuer.hasSameBytes(as: Self.firebaseIssuer(of: id))
      ? "https://session.firebase.google.com/\(id)" : "\(issuer)/session"
  }
  /// The hosts to which a browser may be redirected; see ``AuthorizedDomain``.
  package var authorizedDomains: [String]
  package var policies: ProjectPolicies
  package var blockingFunctions = BlockingFunctions()

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

  /// Firebase's own `iss`. Google's Admin SDKs require it when they use an emulator.
  package static func firebaseIssuer(of id: ProjectID) -> String {
    "https://securetoken.google.com/\(id)"
  }

  /// The URL at which clients reach the server: in production the issuer begins with it. Nil for a
  /// project of `--dev`, whose issuer is Firebase's.
  package var publicURL: String? {
    let place = "/\(id)"
    guard issuer.hasSuffix(place), issuer.utf8.count > place.utf8.count,
      !issuer.hasSameBytes(as: Self.firebaseIssuer(of: id))
    else { return nil }
    return String(issuer.dropLast(place.count))
  }
}

/// A project's key for its clients. Not a secret: it identifies the project and authenticates
/// nothing.
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
