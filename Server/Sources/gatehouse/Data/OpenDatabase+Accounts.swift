import Foundation
import GatehouseServer
import GatehouseProtocol

extension OpenDatabase {
  /// The accounts service on this database, for commands that change accounts. It sends no email,
  /// calls no blocking function, and hashes passwords at the default cost.
  func accounts() async throws -> AccountsService {
    let (idTokenKeys, cookieKeys) = try await signingKeys()
    return accounts(idTokenKeys, cookieKeys)
  }

  func signingKeys() async throws -> (idTokens: TokenSigningKeys, cookies: TokenSigningKeys) {
    let now = Date()
    return (
      try await TokenSigningKeys.open(.idTokens, store: store, forms: KeyForms(), now: now),
      try await TokenSigningKeys.open(.sessionCookies, store: store, forms: KeyForms(), now: now)
    )
  }

  /// Creates the key that signs checkpoints if there is none.
  func eventCheckpoints() async throws -> EventCheckpoints {
    EventCheckpoints(
      store: store,
      keys: try await SigningKeys.open(.eventLog, store: store, forms: KeyForms(), now: Date()))
  }

  func accounts(
    _ idTokenKeys: TokenSigningKeys, _ cookieKeys: TokenSigningKeys
  ) -> AccountsService {
    AccountsService(
      store: store,
      sessions: SessionIssuer(
        idTokenKeys: idTokenKeys, cookieKeys: cookieKeys,
        refreshTokens: RefreshTokenCodec(masterKeys)),
      pendingTokens: PendingTokenCodec(masterKeys), nonces: NonceCodec(masterKeys),
      browserSignIns: BrowserSignInCodec(masterKeys),
      passwords: ScryptHasher(
        .standard, threads: 1,
        imported: ImportedPasswords(store: store, bcrypt: CryptBcrypt())))
  }

  /// - Throws: ``CommandFailure`` if there is no such project.
  func project(_ id: ProjectID) async throws -> Project {
    guard let project = try await store.read({ try $0.project(id) }) else {
      throw CommandFailure("there is no project \(id); `gatehouse projects list` lists them")
    }
    return project
  }
}
