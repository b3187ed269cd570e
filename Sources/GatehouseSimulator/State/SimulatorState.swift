import Foundation

/// Everything the simulator knows. What the parts mean is told in their folders.
struct SimulatorState: Sendable {
  let limits: Simulator.Limits
  let makeSigningKey: @Sendable () throws -> SigningKey
  private let seed: [Person]
  private let initialDialogMode: DialogMode

  var persons: PersonTable
  var consents: BoundedTable<ConsentKey, Consent>
  var lastConsentID: UInt64 = 0
  var codes: BoundedTable<Identifier, AuthorizationCode>
  var tokens: BoundedTable<Identifier, IssuedToken>
  var clients: ClientRegistry
  /// Providers that tests made for themselves.
  var madeByTests: Set<Provider> = []
  /// Names of client assertions that were used (`jti`), each once.
  var assertions: BoundedTable<Identifier, Date>
  var dialogs: BoundedTable<Identifier, DialogRequest>
  var lastSignIns: [Provider: LastSignIn] = [:]
  var dialogMode: DialogMode
  var faults = Faults()
  var requests = RequestLog()
  var keys: [KeyRing: SigningKeys] = [:]
  /// By their type: see ``ProviderState``.
  var ofProviders: [ObjectIdentifier: any ProviderState] = [:]

  init(
    persons: [Person], limits: Simulator.Limits, dialogMode: DialogMode,
    makeSigningKey: @escaping @Sendable () throws -> SigningKey
  ) {
    self.seed = persons
    self.makeSigningKey = makeSigningKey
    self.limits = limits
    self.initialDialogMode = dialogMode
    self.dialogMode = dialogMode
    self.persons = PersonTable(persons, limit: limits.persons)
    self.consents = BoundedTable(limit: limits.consents)
    self.codes = BoundedTable(limit: limits.codes)
    self.tokens = BoundedTable(limit: limits.tokens)
    self.clients = ClientRegistry(limit: limits.clients)
    self.assertions = BoundedTable(limit: limits.tokens)
    self.dialogs = BoundedTable(limit: limits.dialogs)
  }

  /// Goes back to the start, but for the signing keys: who cached them isn't disturbed.
  mutating func reset() {
    let (kept, consent) = (keys, lastConsentID)
    self = SimulatorState(
      persons: seed, limits: limits, dialogMode: initialDialogMode, makeSigningKey: makeSigningKey)
    keys = kept.filter { !$0.key.provider.isMadeByTest }
    // Ids of consents go on, so that nothing of before is ever taken for something of now.
    lastConsentID = consent
  }
}
