import Foundation
import GatehouseProtocol
import GatehouseServer

extension AdminKeys {
  /// The bearer's role in the project; nil if it is none of its administrators.
  func role(
    of bearer: Secret<String>, in project: ProjectID, now: Date
  ) async throws -> AdministratorRole? {
    try await administrator(with: bearer, now: now)?.role(in: project)
  }
}

extension AccessTokens {
  func role(
    of bearer: Secret<String>, in project: ProjectID, now: Date
  ) async throws -> AdministratorRole? {
    try await administrator(with: bearer, now: now)?.role(in: project)
  }
}

extension Administrator {
  fileprivate func role(in project: ProjectID) -> AdministratorRole? {
    isOf(project) ? role : nil
  }
}
