/// What an administrator may do in their projects.
package enum AdministratorRole: String, Hashable, Sendable, CaseIterable {
  /// May read accounts and settings but no secrets, and may change nothing.
  case viewer
  /// May send every request that administrators may send.
  case admin

  /// Whether this role includes the rights of `needed`.
  package func includes(_ needed: AdministratorRole) -> Bool { self == .admin || self == needed }
}

/// A caller that was authenticated as an administrator of a project.
package struct Administrator: Hashable, Sendable {
  /// The caller's name in the event log.
  package let name: String
  package let role: AdministratorRole

  package init(name: String, role: AdministratorRole) {
    self.name = name
    self.role = role
  }
}
