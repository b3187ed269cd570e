package import GatehouseProtocol

extension Transaction {
  /// The project's hooks, oldest first.
  package func hooks(of project: ProjectID) throws -> [Hook] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(HookSQL.hooks, .integer(key)) { try hook($0, of: project) }
  }

  /// What the project's hooks select, oldest first. Reads no secret: if the secret of one hook can't be
  /// decrypted, the other hooks still get their events.
  package func hookSelections(of project: ProjectID) throws -> [HookSelection] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(HookSQL.selections, .integer(key)) { row in
      let names: [String] = try JSONColumn.value(try row.text(1), "list of events")
      let kinds = Set(names.compactMap { EventKind(rawValue: $0) })
      return HookSelection(
        id: try row.value(0, "hook's id", HookID.init), kinds: kinds,
        hasOnlyUnknownKinds: kinds.isEmpty && !names.isEmpty, isEnabled: row.flag(2))
    }
  }

  package func hook(_ id: HookID, of project: ProjectID) throws -> Hook? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(HookSQL.hook, .integer(key), .text(id.text)) {
      try hook($0, of: project)
    }
  }

  /// Writes the hook with its secrets encrypted, and replaces the one with its id. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  package func save(_ hook: Hook, of project: ProjectID) throws {
    let key = try existingKey(of: project)
    try change(hook.id, of: project) {
      try connection.run(
        HookSQL.save,
        [.integer(key)] + HookColumn.allCases.map { try value($0, of: hook, in: project) })
    }
  }

  /// False if there was none. Increases ``Store/changeCounter()``.
  package func deleteHook(_ id: HookID, of project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try change(id, of: project) {
      try connection.change(HookSQL.delete, .integer(key), .text(id.text)) > 0
    }
  }

  private func change<Value>(
    _ id: HookID, of project: ProjectID, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("hook", id.text), in: project, reading: { try hook(id, of: project) }, change)
  }

  private func value(
    _ column: HookColumn, of hook: Hook, in project: ProjectID
  ) throws -> SQLValue {
    switch column {
    case .id: .text(hook.id.text)
    case .url: .text(hook.url)
    case .kinds:
      .text(try JSONColumn.text((hook.kinds.map(\.rawValue) + hook.unknownKinds).sorted()))
    case .form: .text(hook.form.rawValue)
    case .secrets:
      .blob(
        try sealing.seal(
          Array(hook.secrets.map { $0.text.reveal() }.joined(separator: " ").utf8),
          at: Self.place(of: hook.id, in: project)))
    case .isEnabled: .flag(hook.isEnabled)
    case .createdAt: .time(hook.createdAt)
    }
  }

  private func hook(_ row: SQLRow, of project: ProjectID) throws -> Hook {
    typealias Column = HookColumn
    let id = try row.value(Column.id, "hook's id", HookID.init)
    let texts = String(
      decoding: try sealing.open(row.blob(Column.secrets), at: Self.place(of: id, in: project)),
      as: UTF8.self)
    let secrets = texts.split(separator: " ").compactMap { WebhookSecret(Secret(String($0))) }
    guard !secrets.isEmpty else { throw StoreError.damaged("a hook's secret can't be read") }
    let kinds: [String] = try JSONColumn.value(try row.text(Column.kinds), "list of events")
    var hook = Hook(
      id: id, url: try row.text(Column.url),
      kinds: Set(kinds.compactMap { EventKind(rawValue: $0) }),
      form: try row.value(Column.form, "hook's form", Hook.Form.init(rawValue:)),
      secrets: secrets, isEnabled: row.flag(Column.isEnabled),
      createdAt: row.time(Column.createdAt))
    hook.unknownKinds = kinds.filter { EventKind(rawValue: $0) == nil }
    return hook
  }

  private static func place(of id: HookID, in project: ProjectID) -> SealedPlace {
    SealedPlace(.hookSecrets, project: project.text, row: id.text)
  }
}
