package import Foundation
package import Logging

/// The services that endpoints call.
package struct APIServices: Sendable {
  package var accounts: AccountsService
  package var projects: ProjectDirectory
  package var federation: Federation
  /// The keys that sign ID tokens.
  package var idTokenKeys: TokenSigningKeys
  /// The keys that sign session cookies.
  package var sessionCookieKeys: TokenSigningKeys
  package var adminKeys: AdminKeys
  package var serviceAccounts: ServiceAccounts
  package var accessTokens: AccessTokens
  /// The devices that watch their accounts.
  package var watchers: WatchHub
  package var hooks: HookDirectory
  /// The checkpoints of the event log.
  package var eventCheckpoints: @Sendable () async throws -> EventCheckpoints
  /// Calls hooks and webhooks, for the tests that an administrator asks for.
  package var webhooks: any OutboundTransport
  /// Calls blocking functions, for such tests.
  package var functions: any OutboundTransport
  /// What only the program knows in which this runs. Nil if it is no server.
  package var host: ServerHost?
  /// Throws the reason why this server should get no requests.
  package var checkReadiness: @Sendable () async throws -> Void
  /// The emails that were kept instead of sent: only in `--dev`.
  package var mails: DevelopmentMails?
  package var clock: @Sendable () -> Date
  package var logger: Logger

  package init(
    accounts: AccountsService, projects: ProjectDirectory, federation: Federation,
    idTokenKeys: TokenSigningKeys, sessionCookieKeys: TokenSigningKeys, adminKeys: AdminKeys,
    serviceAccounts: ServiceAccounts, accessTokens: AccessTokens, hooks: HookDirectory,
    eventCheckpoints: @escaping @Sendable () async throws -> EventCheckpoints,
    webhooks: any OutboundTransport, functions: any OutboundTransport,
    watchers: WatchHub = WatchHub(),
    checkReadiness: @escaping @Sendable () async throws -> Void,
    clock: @escaping @Sendable () -> Date, logger: Logger
  ) {
    self.accounts = accounts
    self.projects = projects
    self.federation = federation
    self.idTokenKeys = idTokenKeys
    self.sessionCookieKeys = sessionCookieKeys
    self.adminKeys = adminKeys
    self.serviceAccounts = serviceAccounts
    self.accessTokens = accessTokens
    self.watchers = watchers
    self.hooks = hooks
    self.eventCheckpoints = eventCheckpoints
    self.webhooks = webhooks
    self.functions = functions
    self.checkReadiness = checkReadiness
    self.clock = clock
    self.logger = logger
  }
}
