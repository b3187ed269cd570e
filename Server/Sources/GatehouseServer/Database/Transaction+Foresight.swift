package import GatehouseProtocol

/// A token in a project.
struct TokenUse: Hashable {
  let project: Int64
  let digest: [UInt8]
}

extension Transaction {
  /// Announces what the transaction will probably read. A database behind a network can then read all
  /// of it in one round trip. Changes no result.
  package func foresee(_ reads: ForeseenReads, in project: ProjectID) throws {
    guard connection.isRemote, let key = try key(of: project) else { return }
    let project = SQLValue.integer(key)
    foreseenTokens += reads.spent
    var queries = reads.spent.map { SQLQuery(OneTimeSQL.isSpent, [project, .blob($0.digest)]) }
    if let uid = reads.account { queries += Self.queries(.uid, [project, .text(uid.text)]) }
    if let uid = reads.newAccount { newUIDs.insert(uid) }
    if let email = reads.email { queries += Self.queries(.email, [project, .text(email.text)]) }
    if let (provider, subject) = reads.detachment {
      queries.append(
        SQLQuery(OneTimeSQL.detachment, [project, .text(provider.text), .text(subject.text)]))
    }
    if let id = reads.session {
      queries.append(SQLQuery(SessionRecordSQL.session, [project, .blob(id.bytes)]))
    }
    if let (provider, subject) = reads.identity {
      let identity: [SQLValue] = [project, .text(provider.text), .text(subject.text)]
      queries += Self.queries(.identity, identity)
      queries.append(
        SQLQuery(SessionSQL.countLiveOfIdentity, identity + [.blob(reads.device)]))
      foreseenIdentity = (provider, subject, reads.device)
    }
    connection.expect(queries)
  }

  /// Call this if a part of the transaction may be rolled back.
  func forgetForesight() {
    foreseenIdentity = nil
    foreseenTokens = []
    knownUses = [:]
    knownLiveSessions = nil
  }
}
