import Foundation

/// The whole state of the simulator. The parts are documented in their folders.
struct SimulatorState: Sendable {
  let limits: SimulatorLimits
  let makeSigningKey: @Sendable () throws -> SigningKey
  private let seed: [Person]
  private let initialDialogMode: DialogMode

  var persons: PersonTable
  var consents: BoundedTable<ConsentKey, Consent>
  var lastConsentID: UInt64 = 0
  var codes: BoundedTable<Identifier, AuthorizationCode>
  var tokens: BoundedTable<Identifier, IssuedToken>
  var clients: ClientRegistry
  /// Providers that tests created.
  var madeByTests: Set<Provider> = []
  /// The ids of client assertions that were used (`jti`). Each is accepted once.
  var assertions: BoundedTable<Identifier, Date>
  var dialogs: BoundedTable<Identifier, DialogRequest>
  var lastSignIns: [Provider: LastSignIn] = [:]
  var dialogMode: DialogMode
  var faults = Faults()
  var requests = RequestLog()
  var keys: [KeyRing: SigningKeys] = [:]
  /// State by its type: see ``ProviderState``.
  var ofProviders: [ObjectIdentifier: any ProviderState] = [:]

  init(
    persons: [Person], limits: SimulatorLimits, dialogMode: DialogMode,
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

  /// Restores the initial state except for the signing keys, so that cached key sets stay valid.
  mutating func reset() {
    let (kept, consent) = (keys, lastConsentID)
    self = SimulatorState(
      persons: seed, limits: limits, dialogMode: initialDialogMode, makeSigningKey: makeSigningKey)
    keys = kept.filter { !$0.key.provider.isMadeByTest }
    // The consent ids aren't reset, so that no code or token from before matches a new consent.
    lastConsentID = consent
  }
}
