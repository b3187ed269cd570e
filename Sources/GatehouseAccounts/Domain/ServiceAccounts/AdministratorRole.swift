/// How much an administrator may do in the projects that they administer.
package enum AdministratorRole: String, Hashable, Sendable, CaseIterable {
  /// Looks at accounts and settings and changes nothing; sees no secret.
  case viewer
  /// Everything.
  case admin

  /// Whether this role is enough where `needed` is.
  package func includes(_ needed: AdministratorRole) -> Bool { self == .admin || self == needed }
}
