import Foundation
import GatehouseServer

/// Checks that the PostgreSQL database answers, is Gatehouse's, has this mode, and that its master key is
/// given. Changes nothing; servers may run.
enum PostgresCheck {
  /// - Parameters:
  ///   - mode: The mode that the server requires, `production` or `dev`.
  ///   - keys: The given master keys; nil if they couldn't be read, which another finding reports.
  ///   - used: The timeline that the server on this machine has used.
  static func findings(
    _ address: PostgresAddress, mode: String, keys: MasterKeyRing?, used: PostgresTimeline?
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
        finding(try PostgresTimeline.current(at: address), used: used),
      ] + DatabaseCheck.findings(of: facts, mode: mode, keys: keys)
    } catch {
      return [
        Finding("database", .failed(remedy: "Do what the message says."), "\(error)")
      ]
    }
  }

  static func finding(_ present: PostgresTimeline?, used: PostgresTimeline?) -> Finding {
    guard let present else {
      return Finding(
        "timeline",
        .warning(remedy: "Make sure that the database itself never loses what it has confirmed."),
        "the database doesn't tell its timeline, so servers can't refuse an older primary")
    }
    guard let used, present.lacks(used) else {
      return Finding("timeline", .ok, "\(present.number)")
    }
    return Finding(
      "timeline",
      .failed(
        remedy:
          "Bring the newer primary back; or, to keep this one, run: gatehouse confirm-timeline "
          + "\(present.number)"),
      "the primary is on timeline \(present.number), and the server has used timeline \(used.number): it "
        + "refuses this primary")
  }
}
