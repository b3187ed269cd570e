import Foundation
package import GatehouseProtocol

/// The project whose accounts are the console's users. The server creates it, and only owners of the whole server
/// administer it: whoever sets a password there can do what that user may.
package enum ConsoleProject {
  package static let name = "gatehouse-console"
  /// SQL: the operator's own projects, which are counted.
  static let isOther = "id <> '\(name)'"
  static let others = "SELECT key FROM projects WHERE \(isOther)"

  /// - Throws: ``StoreError`` if it can't be created.
  static func made(in projects: ProjectDirectory, publicURL: String) async throws -> Project {
    guard let id = ProjectID(name) else { throw APIError.notFound(.projectNotFound) }
    if let known = try await projects.projectForAdministrator(id) { return known }
    do {
      _ = try await projects.create(
        Project.new(
          id, displayName: "Gatehouse console", publicURL: publicURL, domains: [],
          policies: policies(publicURL)))
    } catch StoreError.conflict(.project) {
      // Another server was faster.
    }
    guard let project = try await projects.projectForAdministrator(id) else {
      throw APIError.notFound(.projectNotFound)
    }
    return project
  }

  private static func policies(_ publicURL: String) -> ProjectPolicies {
    var policies = ProjectPolicies()
    policies.refusesSignUp = true
    policies.refusesDeletion = true
    policies.secondFactors.isEnabled = true
    policies.secondFactors.offersTOTP = true
    // A relying party is a domain. At an IP address there are no passkeys.
    if let host = URL(string: publicURL)?.host {
      policies.passkeys.relyingPartyID = host.asciiLowercased
      policies.passkeys.relyingPartyName = "Gatehouse console"
      policies.passkeys.isEnabled = true
      policies.passkeys.requiresUserVerification = true
      if policies.passkeys.fault != nil { policies.passkeys = PasskeyPolicy() }
    }
    return policies
  }
}

extension ProjectID {
  /// Whether it is that of ``ConsoleProject``, which isn't one of the operator's projects.
  package var isConsole: Bool { text.hasSameBytes(as: ConsoleProject.name) }
}
