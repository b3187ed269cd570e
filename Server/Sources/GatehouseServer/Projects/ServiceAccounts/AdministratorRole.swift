package import Foundation
package import GatehouseProtocol

/// What an administrator may do in their projects. Each role includes the ones before it.
package enum AdministratorRole: String, Hashable, Sendable, CaseIterable {
  /// May read accounts and settings but no secrets, and may change nothing.
  case viewer
  /// May also change accounts, except for their custom claims, on which back ends decide.
  case support
  /// May also change settings and see secrets: everything that makes no other administrator.
  case administrator
  /// May also create and delete administrators' keys, service accounts that are administrators, and projects.
  case owner

  /// Whether this role includes the rights of `needed`.
  package func includes(_ needed: AdministratorRole) -> Bool { rank >= needed.rank }

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .support: 1
    case .administrator: 2
    case .owner: 3
    }
  }
}

extension AdministratorRole {
  /// A role in a request.
  ///
  /// - Throws: ``APIError`` for another word.
  init(checking text: String) throws(APIError) {
    guard let role = Self(rawValue: text) else {
      let roles = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidArgument("role is one of \(roles).")
    }
    self = role
  }
}

/// A caller that was authenticated as an administrator.
package struct Administrator: Hashable, Sendable {
  /// The caller's name in the event log.
  package let name: String
  package let role: AdministratorRole
  /// The one project that they administer; nil: all.
  package let project: ProjectID?
  /// When the person signed in. Nil for a machine.
  package let authenticatedAt: Date?

  package init(
    name: String, role: AdministratorRole, of project: ProjectID?, authenticatedAt: Date? = nil
  ) {
    self.name = name
    self.role = role
    self.project = project
    self.authenticatedAt = authenticatedAt
  }

  /// Whether they administer the project.
  package func isOf(_ project: ProjectID) -> Bool { self.project.map { $0 == project } ?? true }
}
