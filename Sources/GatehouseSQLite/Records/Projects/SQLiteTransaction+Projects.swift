import GatehouseAccounts
import GatehouseModel

extension SQLiteTransaction: ProjectRecords {
  func project(_ id: ProjectID) throws -> Project? {
    try connection.first(ProjectSQL.project, .text(id.text)) { row in
      Project(
        id: try row.value(0, "project's id", ProjectID.init),
        number: UInt64(bitPattern: row.integer(1)),
        displayName: try row.optionalText(2),
        issuer: try row.text(3),
        authorizedDomains: try JSONColumn.value(try row.text(4), "list of domains"),
        policies: try JSONColumn.value(try row.text(5), "project's policies"))
    }
  }

  func projects() throws -> [Project] {
    try connection.all(ProjectSQL.ids) { try $0.value(0, "project's id", ProjectID.init) }
      .compactMap { try project($0) }
  }

  func save(_ project: Project) throws {
    try connection.run(
      ProjectSQL.save, .text(project.id.text), .integer(Int64(bitPattern: project.number)),
      .optional(project.displayName), .text(project.issuer),
      .text(try JSONColumn.text(project.authorizedDomains)),
      .text(try JSONColumn.text(project.policies)))
    try countChange()
  }

  func deleteProject(_ id: ProjectID) throws {
    // This also deletes the project's rows in every table (ON DELETE CASCADE).
    try connection.run(ProjectSQL.delete, .text(id.text))
    forgetProject()
    try countChange()
  }

  func apiKey(_ text: String) throws -> APIKey? {
    try connection.first(ProjectSQL.apiKey, .text(text), read: Self.apiKey)
  }

  func apiKeys(of project: ProjectID) throws -> [APIKey] {
    try connection.all(ProjectSQL.apiKeys, .text(project.text), read: Self.apiKey)
  }

  func insert(_ key: APIKey) throws {
    try connection.run(
      ProjectSQL.insertAPIKey, .text(key.text), .integer(try existingKey(of: key.project)),
      .optional(key.displayName))
    try countChange()
  }

  func deleteAPIKey(_ text: String) throws -> Bool {
    let count = try connection.change(ProjectSQL.deleteAPIKey, .text(text))
    if count > 0 { try countChange() }
    return count > 0
  }

  private static func apiKey(_ row: SQLRow) throws -> APIKey {
    APIKey(
      text: try row.text(0), project: try row.value(1, "project's id", ProjectID.init),
      displayName: try row.optionalText(2))
  }
}
