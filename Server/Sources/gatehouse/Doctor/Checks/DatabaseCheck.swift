import Foundation
import GatehouseServer

extension Finding {
  /// Nil if the database is complete.
  init?(_ state: DatabaseState, of engine: any DatabaseEngine) {
    guard let fault = engine.fault(of: state) else { return nil }
    self.init("database", .failed(remedy: "Do what the message says."), "\(fault)")
  }
}

/// Checks that the file is a Gatehouse database, that it is intact, that it has this mode, and that
/// its master key is given. Changes nothing; a server may run.
enum DatabaseCheck {
  /// - Parameters:
  ///   - mode: The mode that the server requires, `production` or `dev`.
  ///   - keys: The given master keys; nil if they couldn't be read, which another finding reports.
  static func findings(
    in folder: String, mode: String, keys: MasterKeyRing?
  ) -> [Finding] {
    let file = DatabaseFile(in: URL(fileURLWithPath: folder, isDirectory: true))
    let facts: DatabaseFacts
    let damage: [String]
    do throws(StoreError) {
      facts = try file.facts()
      damage = try file.damage(thoroughly: false)
    } catch {
      return [Finding("database", .failed(remedy: "Do what the message says."), "\(error)")]
    }
    let findings = [
      damage.first.map {
        Finding(
          "database",
          .failed(remedy: "Stop the server and restore a backup: gatehouse restore FILE"), $0)
      }
        ?? Finding(
          "database", .ok, "intact; \(facts.projects) projects, \(facts.accounts) accounts")
    ]
    return findings + Self.findings(of: facts, mode: mode, keys: keys)
  }

  /// The findings that don't depend on the engine.
  static func findings(of facts: DatabaseFacts, mode: String, keys: MasterKeyRing?) -> [Finding] {
    var findings: [Finding] = []
    if facts.missingSteps > 0 {
      findings.append(
        Finding(
          "tables",
          .warning(remedy: "Make a backup; the server migrates the database when it starts."),
          "\(facts.missingSteps) migrations behind this version"))
    }
    findings.append(stamp(facts, mode))
    if let keys { findings.append(key(facts, keys)) }
    return findings
  }

  private static func stamp(_ facts: DatabaseFacts, _ mode: String) -> Finding {
    let stamp = String(decoding: facts.mode ?? [], as: UTF8.self)
    return stamp.utf8.elementsEqual(mode.utf8)
      ? Finding("mode", .ok, stamp)
      : Finding(
        "mode", .failed(remedy: "Name another folder with --data, or use the other mode (--dev)."),
        "the database has mode “\(stamp)”, but this is mode “\(mode)”")
  }

  private static func key(_ facts: DatabaseFacts, _ keys: MasterKeyRing) -> Finding {
    let id = MasterKeyName.of(facts.masterKeyID)
    guard let check = facts.masterKeyCheck,
      keys.select(checkValue: check, former: facts.formerMasterKeys)
    else {
      return Finding(
        "master key", .failed(remedy: "Give the master key of the database."),
        "the database's key has id \(id), but the given key has id \(keys.current.name)")
    }
    let others = keys.keys.filter { $0.id != keys.current.id }
    let former = facts.formerMasterKeys.map(\.checkValue)
    let isUnfinished = facts.isResealing || others.contains { !former.contains($0.checkValue) }
    if isUnfinished {
      return Finding(
        "master key", .warning(remedy: "Finish it: gatehouse keys rotate-master"),
        "\(keys.current.name), as in the database; a rotation is not finished")
    }
    if !others.isEmpty {
      return Finding(
        "master key",
        .warning(
          remedy:
            "When your users' sessions have been refreshed since the rotation: gatehouse keys "
            + "retire-master"),
        "\(keys.current.name), as in the database, and \(others.count) former")
    }
    return Finding("master key", .ok, "\(keys.current.name), as in the database")
  }
}
