/// The rows of `account_terms`: see ``SearchedFields/terms``.
enum SearchTermSQL: String, SQLStatement {
  case ofAccount = "SELECT term FROM account_terms WHERE account = ?"
  case ofUID = """
    SELECT term FROM account_terms
    WHERE account = (SELECT key FROM accounts WHERE project = ? AND uid = ?)
    """
  case insert = "INSERT INTO account_terms (project, account, term) VALUES (?, ?, ?)"
  case insertForUID = """
    INSERT INTO account_terms (project, account, term)
    VALUES (?1, (SELECT key FROM accounts WHERE project = ?1 AND uid = ?2), ?3)
    """
  case delete = "DELETE FROM account_terms WHERE account = ? AND term = ?"
  case deleteOfUID = """
    DELETE FROM account_terms
    WHERE account = (SELECT key FROM accounts WHERE project = ? AND uid = ?) AND term = ?
    """
}

/// The indexes in whose order a search examines accounts.
enum SearchSource: Int, CaseIterable {
  case uid, email, phoneNumber, term, subject, createdAt
  // Each in the order of the ids.
  case disabled, unverified, secondFactors, passkeys, claims, scheduled

  /// The values of ``SearchSQL`` after the project are a value of ``column`` and an account's key, after
  /// which the list begins; a value of ``column`` before which it ends; the limit; and for ``subject`` the
  /// provider.
  fileprivate func text(from tables: String) -> String {
    "FROM \(tables) WHERE \(condition) AND (\(column), \(key)) > (?2, ?3) AND \(column) < ?4"
  }

  fileprivate var order: String {
    switch self {
    case .term, .createdAt: "ORDER BY \(column), \(key) LIMIT ?5"
    // Unique in a project.
    default: "ORDER BY \(column) LIMIT ?5"
    }
  }

  fileprivate var column: String {
    switch self {
    case .email: "a.email"
    case .phoneNumber: "a.phone_number"
    case .term: "t.term"
    case .subject: "i.subject"
    case .createdAt: "a.created_at"
    case .uid, .disabled, .unverified, .secondFactors, .passkeys, .claims, .scheduled: "a.uid"
    }
  }

  fileprivate var key: String {
    switch self {
    case .term: "t.account"
    case .subject: "i.account"
    default: "a.key"
    }
  }

  private var table: String {
    switch self {
    case .term: "account_terms AS t"
    case .subject: "identities AS i"
    default: "accounts AS a"
    }
  }

  private var condition: String {
    switch self {
    case .uid, .createdAt: "a.project = ?1"
    case .email: "a.project = ?1 AND a.email IS NOT NULL"
    case .phoneNumber: "a.project = ?1 AND a.phone_number IS NOT NULL"
    case .term: "t.project = ?1"
    case .subject: "i.project = ?1 AND i.provider = ?6"
    case .disabled: "a.project = ?1 AND a.is_disabled = 1"
    case .unverified: "a.project = ?1 AND a.is_email_verified = 0 AND a.email IS NOT NULL"
    case .secondFactors: "a.project = ?1 AND a.second_factors IS NOT NULL"
    case .passkeys: "a.project = ?1 AND a.passkey_count > 0"
    case .claims: "a.project = ?1 AND a.custom_claims IS NOT NULL"
    case .scheduled: "a.project = ?1 AND a.deletion_scheduled_for IS NOT NULL"
    }
  }

  /// The columns of ``SearchColumn``.
  fileprivate var candidates: String {
    let columns = "SELECT \(SearchColumn.selected), \(column)"
    return switch self {
    case .term, .subject:
      // SQLite reads the tables of a `CROSS JOIN` in this order.
      "\(columns) \(text(from: "\(table) CROSS JOIN accounts AS a")) AND a.key = \(key) \(order)"
    default: "\(columns) \(text(from: table)) \(order)"
    }
  }

  fileprivate var keys: String { "SELECT \(key) \(text(from: table)) \(order)" }
}

/// What a search reads about each account that it examines, before it reads those that it has found.
enum SearchColumn: Int32, SQLPosition {
  case key, uid, email, phoneNumber, isEmailVerified, hasPassword, hasEmailLink, customClaims
  case isDisabled, isCustom, createdAt, lastLoginAt, passkeyCount, hasSecondFactors, isScheduled
  /// The value of the source's column.
  case value

  var position: Int32 { rawValue }

  /// All but ``value``.
  fileprivate static let selected = """
    a.key, a.uid, a.email, a.phone_number, a.is_email_verified,
      CASE WHEN a.password_digest IS NULL THEN 0 ELSE 1 END, a.has_email_link, a.custom_claims,
      a.is_disabled, a.is_custom, a.created_at, a.last_login_at, a.passkey_count,
      CASE WHEN a.second_factors IS NULL THEN 0 ELSE 1 END,
      CASE WHEN a.deletion_scheduled_for IS NULL THEN 0 ELSE 1 END
    """
}

/// A part of a source: the accounts, and with the same values their terms and identities.
enum SearchSQL: SQLStatement {
  case candidates(SearchSource), terms(SearchSource), identities(SearchSource)
  /// Only the accounts' keys.
  case keys(SearchSource)
  /// The first provider after another one, by name, that accounts have identities of. Values: the
  /// project, the other one.
  case nextProvider

  static let allCases =
    [.nextProvider] + SearchSource.allCases.map(Self.candidates)
    + SearchSource.allCases.map(Self.terms)
    + SearchSource.allCases.map(Self.identities) + SearchSource.allCases.map(Self.keys)

  var text: String {
    switch self {
    case .candidates(let source): Self.candidateTexts[source.rawValue]
    case .terms(let source): Self.termTexts[source.rawValue]
    case .identities(let source): Self.identityTexts[source.rawValue]
    case .keys(let source): Self.keyTexts[source.rawValue]
    case .nextProvider:
      "SELECT provider FROM identities WHERE project = ? AND provider > ? ORDER BY provider LIMIT 1"
    }
  }

  private static let candidateTexts = SearchSource.allCases.map(\.candidates)
  private static let keyTexts = SearchSource.allCases.map(\.keys)
  private static let termTexts = SearchSource.allCases.map {
    "SELECT account, term FROM account_terms WHERE account IN (\($0.keys))"
  }
  private static let identityTexts = SearchSource.allCases.map {
    "SELECT account, provider, subject FROM identities WHERE account IN (\($0.keys))"
  }
}
