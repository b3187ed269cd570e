import Foundation

/// Everything the simulator knows. What the parts mean is told in their folders.
struct SimulatorState: Sendable {
  let limits: Simulator.Limits
  let makeSigningKey: @Sendable () throws -> SigningKey
  private let seed: [Person]
  private let initialSheetMode: SheetMode

  var persons: PersonTable
  var consents: BoundedTable<ConsentKey, Consent>
  var lastConsentID: UInt64 = 0
  var codes: BoundedTable<Identifier, AuthorizationCode>
  var tokens: BoundedTable<Identifier, IssuedToken>
  var migrationTokens: BoundedTable<Identifier, AppleMigrationToken>
  var notifications: AppleNotifications
  var clients: ClientRegistry
  /// Providers that tests made for themselves: ``Provider/issuer(_:)``.
  var issuers: Set<Provider> = []
  /// Names of client assertions that were used (`jti`), each once.
  var assertions: BoundedTable<Identifier, Date>
  var sheets: BoundedTable<Identifier, SheetRequest>
  var lastSignIns: [Provider: LastSignIn] = [:]
  var sheetMode: SheetMode
  var faults = Faults()
  var requests = RequestLog()
  var keys: [Provider: SigningKeys] = [:]

  init(
    persons: [Person], limits: Simulator.Limits, sheetMode: SheetMode,
    makeSigningKey: @escaping @Sendable () throws -> SigningKey
  ) {
    self.seed = persons
    self.makeSigningKey = makeSigningKey
    self.limits = limits
    self.initialSheetMode = sheetMode
    self.sheetMode = sheetMode
    self.persons = PersonTable(persons, limit: limits.persons)
    self.consents = BoundedTable(limit: limits.consents)
    self.codes = BoundedTable(limit: limits.codes)
    self.tokens = BoundedTable(limit: limits.tokens)
    self.migrationTokens = BoundedTable(limit: limits.tokens)
    self.notifications = AppleNotifications(limit: limits.notifications)
    self.clients = ClientRegistry(limit: limits.clients)
    self.assertions = BoundedTable(limit: limits.tokens)
    self.sheets = BoundedTable(limit: limits.sheets)
  }

  /// Goes back to the start, but for the signing keys: who cached them isn't disturbed.
  mutating func reset() {
    let (kept, consent) = (keys, lastConsentID)
    self = SimulatorState(
      persons: seed, limits: limits, sheetMode: initialSheetMode, makeSigningKey: makeSigningKey)
    keys = kept.filter { Provider.builtIn.contains($0.key) }
    // Ids of consents go on, so that nothing of before is ever taken for something of now.
    lastConsentID = consent
  }
}
