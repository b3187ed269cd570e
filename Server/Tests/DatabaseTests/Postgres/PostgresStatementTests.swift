import Testing

@testable import GatehouseServer

@Suite struct PostgresStatementTests {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1"),
    ("a = ? AND b = ?", "a = $1 AND b = $2"),
    ("a = ?2 AND b = ?1 AND c = ?2", "a = $2 AND b = $1 AND c = $2"),
    ("a = ?12", "a = $12"),
    ("a = '?' AND b = ?", "a = '?' AND b = $1"),
  ])
  func `places for values are numbered`(_ sql: String, _ expected: String) {
    #expect(PostgresStatement.text(sql) == expected)
  }
}
