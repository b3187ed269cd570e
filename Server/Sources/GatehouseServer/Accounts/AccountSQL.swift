enum AccountSQL: String, SQLStatement {
  case key = "SELECT key FROM accounts WHERE project = ? AND uid = ?"
  case count = "SELECT sum(accounts) FROM account_counts WHERE project = ?"

  case touch = """
    UPDATE accounts SET last_login_at = coalesce(?3, last_login_at),
      last_refresh_at = coalesce(?4, last_refresh_at)
    WHERE project = ?1 AND uid = ?2
    """
  case keepScheduled = """
    UPDATE accounts SET deletion_scheduled_for = NULL
    WHERE project = ?1 AND uid = ?2 AND deletion_scheduled_for IS NOT NULL
    """
  case scheduled = """
    SELECT projects.id, accounts.uid FROM accounts
    JOIN projects ON projects.key = accounts.project
    WHERE accounts.deletion_scheduled_for <= ? ORDER BY accounts.deletion_scheduled_for LIMIT ?
    """
  case delete = "DELETE FROM accounts WHERE project = ? AND uid = ?"
  case deleteSome = """
    DELETE FROM accounts WHERE key IN (
      SELECT key FROM accounts WHERE project = ? ORDER BY uid LIMIT ?
    )
    """

  case subjects = """
    SELECT subject FROM identities
    WHERE project = ? AND provider = ? AND subject > ? ORDER BY subject LIMIT ?
    """
  case moveIdentities = """
    UPDATE identities SET issuer = ?6
    WHERE project = ?1 AND provider = ?2 AND subject > ?3 AND subject <= ?4 AND issuer = ?5
    """
  case issuers = """
    SELECT issuer FROM identities WHERE project = ? AND provider = ? ORDER BY subject LIMIT ?
    """
  case deleteIdentities = "DELETE FROM identities WHERE account = ?"
  case deleteIdentitiesOfUID = """
    DELETE FROM identities
    WHERE account = (SELECT key FROM accounts WHERE project = ? AND uid = ?)
    """
}

enum AccountColumn: Int32, SQLColumn, SQLPosition {
  case uid, email, isEmailVerified, displayName, photoURL, phoneNumber
  case passwordParameters, passwordSalt, passwordDigest, passwordUpdatedAt
  case customClaims, isDisabled, isCustom, createdAt, lastLoginAt, lastRefreshAt, validSinceSeconds
  case hasEmailLink, emailVerifiedAt, assignedFields, phoneLinkedAt, phoneUnconfirmedSince
  case deletionScheduledFor, language, initialEmail, importedAt, revokedAt, secondFactors
  case passkeyCount, unconfirmedPasskeys
}

/// The ways to find an account.
enum AccountFinder: Int, CaseIterable {
  case key, uid, email, phoneNumber, identity, identityEmail, session

  /// The account's key. Values: the project, and what identifies the account. For `key`: the key
  /// alone.
  var keyText: String {
    switch self {
    case .key: "?"
    case .uid: "(SELECT key FROM accounts WHERE project = ? AND uid = ?)"
    case .email: "(SELECT key FROM accounts WHERE project = ? AND email = ?)"
    case .phoneNumber: "(SELECT key FROM accounts WHERE project = ? AND phone_number = ?)"
    case .identity:
      "(SELECT account FROM identities WHERE project = ? AND provider = ? AND subject = ?)"
    case .identityEmail:
      "(SELECT account FROM identities WHERE project = ? AND email = ? ORDER BY account LIMIT 1)"
    case .session:
      """
      (SELECT a.key FROM accounts AS a JOIN sessions AS s ON s.project = a.project AND s.uid = a.uid
        WHERE s.project = ? AND s.id = ?)
      """
    }
  }
}

/// The ways to list a part of a project's accounts.
enum AccountPage: Int, CaseIterable {
  case first, next, slice, sliceFromEnd
  /// Only accounts that have, or had, second factors.
  case nextWithSecondFactors

  /// What follows `FROM accounts`. Values: the project, for `next…` the id to continue after, the limit, and for a
  /// slice the offset.
  var text: String {
    switch self {
    case .first: "WHERE project = ? ORDER BY uid LIMIT ?"
    case .next: "WHERE project = ? AND uid > ? ORDER BY uid LIMIT ?"
    case .nextWithSecondFactors:
      "WHERE project = ? AND uid > ? AND second_factors IS NOT NULL ORDER BY uid LIMIT ?"
    case .slice: "WHERE project = ? ORDER BY uid LIMIT ? OFFSET ?"
    case .sliceFromEnd: "WHERE project = ? ORDER BY uid DESC LIMIT ? OFFSET ?"
    }
  }
}

enum AccountRecordSQL: SQLStatement {
  case account(AccountFinder), save
  /// The columns of each account, and its key.
  case page(AccountPage)
  /// Saves the account without returning its key.
  case saveQuietly

  static let allCases =
    AccountFinder.allCases.map(Self.account) + [.save, .saveQuietly]
    + AccountPage.allCases.map(Self.page)

  var text: String {
    switch self {
    case .account(let finder): Self.texts[finder.rawValue]
    case .page(let page): Self.pageTexts[page.rawValue]
    case .save: Self.saveReturningText
    case .saveQuietly: Self.saveText
    }
  }

  private static let texts = AccountFinder.allCases.map {
    "SELECT \(AccountColumn.list) FROM accounts WHERE key = \($0.keyText)"
  }
  private static let pageTexts = AccountPage.allCases.map {
    "SELECT \(AccountColumn.list), key FROM accounts \($0.text)"
  }
  private static let saveReturningText = saveText + " RETURNING key"
  /// Values: the project, and the columns.
  private static let saveText = """
    INSERT INTO accounts (project, \(AccountColumn.list))
    VALUES (?1, \(AccountColumn.marks(behind: 1)))
    ON CONFLICT (project, uid) DO UPDATE SET \(AccountColumn.updates(but: .uid))
    """
}

enum IdentityColumn: Int32, SQLColumn, SQLPosition {
  case provider, subject, email, displayName, photoURL, screenName, isPrivateEmail, linkedAt
  case realUserStatus, issuer, unconfirmedSince
  case revocationRequestedAt, isForwardingDisabled, forwardingChangedAt, consentRevokedAt
}

enum IdentityRecordSQL: SQLStatement {
  case ofAccount(AccountFinder), insert, insertForUID
  /// The columns of each identity, and its account's key.
  case ofPage(AccountPage)

  static let allCases =
    AccountFinder.allCases.map(Self.ofAccount) + [.insert, .insertForUID]
    + AccountPage.allCases.map(Self.ofPage)

  var text: String {
    switch self {
    case .ofAccount(let finder): Self.texts[finder.rawValue]
    case .ofPage(let page): Self.pageTexts[page.rawValue]
    case .insert: Self.insertText
    case .insertForUID: Self.insertForUIDText
    }
  }

  private static let texts = AccountFinder.allCases.map {
    """
    SELECT \(IdentityColumn.list) FROM identities WHERE account = \($0.keyText) ORDER BY position
    """
  }
  private static let pageTexts = AccountPage.allCases.map {
    """
    SELECT \(IdentityColumn.list), account FROM identities
    WHERE account IN (SELECT key FROM accounts \($0.text)) ORDER BY account, position
    """
  }
  /// Values: the project, the account, the position in its list, and the columns.
  private static let insertText = """
    INSERT INTO identities (project, account, position, \(IdentityColumn.list))
    VALUES (?1, ?2, ?3, \(IdentityColumn.marks(behind: 3)))
    """
  /// Values: the project, the uid, the position in the account's list, and the columns.
  private static let insertForUIDText = """
    INSERT INTO identities (project, account, position, \(IdentityColumn.list))
    VALUES (?1, (SELECT key FROM accounts WHERE project = ?1 AND uid = ?2), ?3,
      \(IdentityColumn.marks(behind: 3)))
    """
}
