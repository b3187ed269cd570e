package import GatehouseProtocol

extension Transaction {
  /// The project's key in this database, if the project exists. Cached for the transaction: most
  /// operations that share a transaction concern the same project.
  func key(of project: ProjectID) throws -> Int64? {
    if let knownProject, knownProject.id == project { return knownProject.key }
    if let key = connection.rememberedKey(ofProject: project.text) { return key }
    let key = try connection.first(ProjectSQL.key, .text(project.text)) { $0.integer(0) }
    knownProject = key.map { (project, $0) }
    if let key { connection.remember(key, ofProject: project.text) }
    return key
  }

  /// The key of a project to which a row is about to be added.
  ///
  /// - Throws: `StoreError.conflict` with `project` if the project doesn't exist.
  func existingKey(of project: ProjectID) throws -> Int64 {
    guard let key = try key(of: project) else { throw StoreError.conflict(.project) }
    return key
  }

  package func project(_ id: ProjectID) throws -> Project? {
    typealias Column = ProjectColumn
    return try connection.first(ProjectRecordSQL.project, .text(id.text)) { row in
      var project = Project(
        id: try row.value(Column.id, "project's id", ProjectID.init),
        number: UInt64(bitPattern: row.integer(Column.number)),
        displayName: try row.optionalText(Column.displayName),
        issuer: try row.text(Column.issuer),
        authorizedDomains: try JSONColumn.value(
          try row.text(Column.authorizedDomains), "list of domains"),
        policies: try JSONColumn.value(try row.text(Column.policies), "project's policies"))
      if let sealed = row.optionalBlob(Column.blockingFunctions) {
        let text = String(
          decoding: try sealing.open(sealed, at: Self.functionsPlace(of: project.id)),
          as: UTF8.self)
        let stored: StoredBlockingFunctions = try JSONColumn.value(text, "blocking function")
        project.blockingFunctions = try stored.value()
      }
      return project
    }
  }

  package func projects() throws -> [Project] {
    try connection.all(ProjectSQL.ids) { try $0.value(0, "project's id", ProjectID.init) }
      .compactMap { try project($0) }
  }

  /// Writes the project, and replaces the one with its id. Increases ``Store/changeCounter()``.
  package func save(_ project: Project) throws {
    // A new project's event has the policies that aren't the usual ones.
    let usual = Project(
      id: project.id, number: project.number, issuer: "", authorizedDomains: [],
      policies: ProjectPolicies())
    try changeSetting(
      SettingName("project", project.id.text), in: project.id, comparedWith: usual,
      reading: { try self.project(project.id) }
    ) {
      try connection.run(
        ProjectRecordSQL.save, try ProjectColumn.allCases.map { try value($0, of: project) })
    }
  }

  /// Removes the project, all its rows and its event log. Increases ``Store/changeCounter()``.
  package func deleteProject(_ id: ProjectID) throws {
    // This also deletes the project's rows in every table that refers to it (ON DELETE CASCADE).
    try connection.run(ProjectSQL.delete, .text(id.text))
    forgetProject()
    try deleteEvents(of: id)
    try recordSetting(SettingName("project", id.text), .deleted, in: nil)
  }

  package func apiKey(_ text: String) throws -> APIKey? {
    try connection.first(ProjectSQL.apiKey, .text(text), read: Self.apiKey)
  }

  package func apiKeys(of project: ProjectID) throws -> [APIKey] {
    try connection.all(ProjectSQL.apiKeys, .text(project.text), read: Self.apiKey)
  }

  /// Increases ``Store/changeCounter()``. Throws ``StoreError/conflict(_:)`` if the key exists.
  package func insert(_ key: APIKey) throws {
    try changeSetting(.apiKey(key.text), in: key.project, reading: { try apiKey(key.text) }) {
      try connection.run(
        ProjectSQL.insertAPIKey, .text(key.text), .integer(try existingKey(of: key.project)),
        .optional(key.displayName))
    }
  }

  /// False if there was none. Delete an app before its key. Increases ``Store/changeCounter()``.
  package func deleteAPIKey(_ text: String) throws -> Bool {
    guard let key = try apiKey(text) else { return false }
    try changeSetting(.apiKey(text), in: key.project, reading: { try apiKey(text) }) {
      try connection.run(ProjectSQL.deleteAPIKey, .text(text))
    }
    return true
  }

  private static func apiKey(_ row: SQLRow) throws -> APIKey {
    APIKey(
      text: try row.text(0), project: try row.value(1, "project's id", ProjectID.init),
      displayName: try row.optionalText(2))
  }

  private func value(_ column: ProjectColumn, of project: Project) throws -> SQLValue {
    switch column {
    case .id: .text(project.id.text)
    case .number: .integer(Int64(bitPattern: project.number))
    case .displayName: .optional(project.displayName)
    case .issuer: .text(project.issuer)
    case .authorizedDomains: .text(try JSONColumn.text(project.authorizedDomains))
    case .policies: .text(try JSONColumn.text(project.policies))
    case .blockingFunctions:
      project.blockingFunctions.isUnset
        ? .null
        : .blob(
          try sealing.seal(
            Array(
              try JSONColumn.text(StoredBlockingFunctions(project.blockingFunctions)).utf8),
            at: Self.functionsPlace(of: project.id)))
    }
  }

  private static func functionsPlace(of project: ProjectID) -> SealedPlace {
    SealedPlace(.blockingFunctions, project: project.text, row: project.text)
  }
}
