enum HookColumn: Int32, SQLColumn, SQLPosition {
  case id, url, kinds, form, secrets, isEnabled, createdAt
}

enum HookSQL: SQLStatement {
  case hooks, selections, hook, save, delete

  var text: String {
    switch self {
    case .hooks: Self.hooksText
    case .selections:
      "SELECT id, kinds, is_enabled FROM hooks WHERE project = ? ORDER BY created_at, id"
    case .hook: "\(Self.selectText) WHERE project = ? AND id = ?"
    case .save:
      """
      INSERT INTO hooks (project, \(HookColumn.list)) VALUES (?1, \(HookColumn.marks(behind: 1)))
      ON CONFLICT (project, id) DO UPDATE SET \(HookColumn.updates(but: .id, .createdAt))
      """
    case .delete: "DELETE FROM hooks WHERE project = ? AND id = ?"
    }
  }

  private static let hooksText = "\(selectText) WHERE project = ? ORDER BY created_at, id"
  private static let selectText = "SELECT \(HookColumn.list) FROM hooks"
}
