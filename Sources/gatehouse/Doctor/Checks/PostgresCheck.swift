import Foundation
import GatehouseAccounts
import GatehouseFederation
import GatehouseOperation
import GatehousePostgres

/// Checks that the PostgreSQL database answers, is Gatehouse's, has this mode, and that its master key is
/// given. Changes nothing; servers may run.
enum PostgresCheck {
  /// - Parameters:
  ///   - mode: The mode that the server requires, `production` or `dev`.
  ///   - keys: The given master keys; nil if they couldn't be read, which another finding reports.
  static func findings(
    _ address: PostgresAddress, mode: String, keys: MasterKeyRing?
  ) -> [Finding] {
    do {
      guard let facts = try PostgresStore.facts(address) else {
        return [
          Finding(
            "database", .failed(remedy: "Create it: gatehouse projects create ID --database …"),
            "\(address.name) has no tables of Gatehouse")
        ]
      }
      let sent = Date()
      let time = try PostgresStore.time(address)
      return [
        Finding(
          "database", .ok,
          "\(address.name); \(facts.projects) projects, \(facts.accounts) accounts"),
        ClockCheck.finding(
          databaseOffset: ClockComparison.offset(of: time, between: sent, and: Date())),
      ] + DatabaseCheck.findings(of: facts, mode: mode, keys: keys)
    } catch {
      return [
        Finding("database", .failed(remedy: "Do what the message says."), "\(error)")
      ]
    }
  }
}
