import GatehouseModel

/// What can be done with accounts: each use case is an extension in the folder of its name.
///
/// Every use case takes the project and the time, reads and writes in one transaction, and answers
/// only after that is durable. Nothing here knows how a request looked or which database is below.
package struct AccountsService: Sendable {
  let store: any Store
  let sessions: SessionIssuer
  let pendingTokens: PendingTokenCodec
  let nonces: NonceCodec
  let browserSignIns: BrowserSignInCodec
  let passwords: any PasswordHashing
  let actionCodes: ActionCodeIssuer
  let phoneCodes: PhoneCodeIssuer
  let hashingShares: Shares<ClientAddress>

  /// - Parameter hashesPerClient: How many hashes one client may have waiting or running at once;
  ///   less than `passwords` takes in all.
  package init(
    store: any Store, sessions: SessionIssuer, pendingTokens: PendingTokenCodec,
    nonces: NonceCodec, browserSignIns: BrowserSignInCodec, passwords: any PasswordHashing,
    actionCodes: ActionCodeIssuer = ActionCodeIssuer(),
    phoneCodes: PhoneCodeIssuer = PhoneCodeIssuer(), hashesPerClient: Int = 16
  ) {
    self.store = store
    self.sessions = sessions
    self.pendingTokens = pendingTokens
    self.nonces = nonces
    self.browserSignIns = browserSignIns
    self.passwords = passwords
    self.actionCodes = actionCodes
    self.phoneCodes = phoneCodes
    hashingShares = Shares(limit: hashesPerClient)
  }
}
