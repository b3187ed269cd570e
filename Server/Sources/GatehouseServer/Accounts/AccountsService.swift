import GatehouseProtocol

/// The use cases on accounts and sessions: extensions in the files of each capability.
///
/// A use case takes the project and, if it needs it, the time. It decides and writes in one
/// transaction, and returns only after the transaction is durable; an operation on many accounts uses
/// several transactions. Nothing here depends on the form of a request or on the database.
package struct AccountsService: Sendable {
  let store: any Store
  let sessions: SessionIssuer
  let pendingTokens: PendingTokenCodec
  let nonces: NonceCodec
  let browserSignIns: BrowserSignInCodec
  let passwords: any PasswordHashing
  let actionCodes: ActionCodeIssuer
  let phoneCodes: PhoneCodeIssuer
  let refreshed: RefreshedAccounts
  let hashingShares: HashingShares
  let blockingFunctions: any BlockingFunctionCalls
  package var signInCounts: SignInCounts { sessions.counts }

  /// - Parameters:
  ///   - refreshed: Collects the accounts whose providers' tokens should be checked first.
  ///   - blockingFunctions: Calls the projects' blocking functions.
  ///   - hashesPerClient: How many hashes one client may have waiting or running at once;
  ///   a quarter of the total limit of `passwords`, see ``HashingShares``.
  package init(
    store: any Store, sessions: SessionIssuer, pendingTokens: PendingTokenCodec,
    nonces: NonceCodec, browserSignIns: BrowserSignInCodec, passwords: any PasswordHashing,
    actionCodes: ActionCodeIssuer = ActionCodeIssuer(),
    phoneCodes: PhoneCodeIssuer = PhoneCodeIssuer(),
    refreshed: RefreshedAccounts = RefreshedAccounts(),
    blockingFunctions: any BlockingFunctionCalls = NoBlockingFunctionCalls(),
    hashesPerClient: Int = 16
  ) {
    self.store = store
    self.sessions = sessions
    self.pendingTokens = pendingTokens
    self.nonces = nonces
    self.browserSignIns = browserSignIns
    self.passwords = passwords
    self.actionCodes = actionCodes
    self.phoneCodes = phoneCodes
    self.refreshed = refreshed
    self.blockingFunctions = blockingFunctions
    hashingShares = HashingShares(perClient: hashesPerClient)
  }
}
