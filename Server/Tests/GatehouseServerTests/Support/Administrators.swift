import Foundation
import GatehouseServer
import GatehouseProtocol

extension AdminKeys {
  func role(
    of bearer: Secret<String>, in project: ProjectID, now: Date
  ) async throws -> AdministratorRole? {
    try await administrator(with: bearer, in: project, now: now)?.role
  }
}

extension AccessTokens {
  func role(
    of bearer: Secret<String>, in project: ProjectID, now: Date
  ) async throws -> AdministratorRole? {
    try await administrator(with: bearer, in: project, now: now)?.role
  }
}
