import GatehouseServer

/// The engines, and how an operator's settings choose one.
enum DatabaseEngines {
  typealias Engine = DatabaseEngine & DatabaseMaintenance

  /// - Parameter folder: SQLite's folder, or where a server with PostgreSQL remembers the timeline.
  static func configured(_ reader: inout SettingReader, folder: String) -> any Engine {
    guard var address = reader.read(Settings.database) else { return SQLiteEngine(folder: folder) }
    address.connections = reader.read(Settings.postgresConnections)
    address.waitSeconds = reader.read(Settings.postgresWaitSeconds)
    return PostgresEngine(address: address, timelines: TimelineFile(folder: folder))
  }

  /// The engine of the database that a text names: a URL, or SQLite's folder.
  ///
  /// - Parameter flag: The flag that gave the text.
  /// - Throws: ``CommandFailure``.
  static func named(_ text: String, by flag: String) throws -> any Engine {
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
      return SQLiteEngine(folder: text)
    }
    do throws(PostgresAddressFault) {
      return PostgresEngine(address: try PostgresAddress(text), timelines: nil)
    } catch {
      throw CommandFailure("\(flag): this is no PostgreSQL database: \(error)")
    }
  }
}
