import Foundation
import GatehouseServer
import GatehouseProtocol

extension OpenDatabase {
  /// The accounts service on this database, for commands that change accounts. It sends no email,
  /// calls no blocking function, and hashes passwords at the default cost.
  func accounts() async throws -> AccountsService {
    let now = Date()
    let idTokenKeys = try await TokenSigningKeys.open(
      .idTokens, store: store, forms: KeyForms(), now: now)
    let cookieKeys = try await TokenSigningKeys.open(
      .sessionCookies, store: store, forms: KeyForms(), now: now)
    return AccountsService(
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
