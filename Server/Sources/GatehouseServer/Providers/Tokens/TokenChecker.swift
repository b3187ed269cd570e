package import Foundation
import GatehouseProtocol
package import Logging
import Metrics
import Synchronization

/// Asks a provider whether kept refresh tokens are still valid, if `ProviderTraits.checksRefreshTokens`
/// is true for it: Apple. A user may withdraw the app's access, and the provider's notification of this
/// may be lost.
///
/// "You may verify the refresh token up to once a day … Apple's servers may throttle your call if you
/// attempt to verify a user's Apple ID more than once a day"
/// (<https://developer.apple.com/documentation/signinwithapple/verifying-a-user>). So one server
/// records the check in the database before it asks the provider. Even if the server then crashes, the next
/// check of the token is at least a day later.
package final class TokenChecker: Sendable {
  /// The shortest time between two checks of a token.
  package static let intervalSeconds: TimeInterval = 86_400
  /// The number of checks at the same time.
  private static let concurrency = 8

  private let store: any Store
  private let federation: Federation
  private let refreshed: RefreshedAccounts
  private let perMinute: Int
  private let clock: @Sendable () -> Date
  private let logger: Logger
  private let state: Mutex<CheckPace>
  private let counters = Metric.providerTokenChecks.counters(
    "outcome", ["valid", "revoked", "doubted", "failed", "skipped"])

  /// - Parameters:
  ///   - refreshed: Accounts whose tokens are checked first.
  ///   - perMinute: The maximum number of tokens checked in a minute; 0: none.
  package init(
    store: any Store, federation: Federation, refreshed: RefreshedAccounts, perMinute: Int,
    clock: @escaping @Sendable () -> Date, logger: Logger
  ) {
    self.store = store
    self.federation = federation
    self.refreshed = refreshed
    self.perMinute = perMinute
    self.clock = clock
    self.logger = logger
    state = Mutex(CheckPace(perMinute: perMinute, now: clock()))
  }

  /// Checks tokens until `isRunning` is false.
  ///
  /// - Parameter pause: Waits for the duration, or until the server stops.
  package func run(
    while isRunning: @Sendable () -> Bool, pause: @Sendable (Duration) async -> Void
  ) async {
    guard perMinute > 0 else {
      // A service must not return before the server stops.
      while isRunning() { await pause(.seconds(60)) }
      return
    }
    while isRunning() {
      do {
        _ = try await checkDue()
      } catch {
        logger.error(
          "refresh tokens could not be read for their check", metadata: ["error": "\(error)"])
      }
      await pause(.seconds(1))
    }
  }

  /// Checks as many tokens as are due and allowed now.
  ///
  /// - Returns: How many were claimed, also if their check then failed.
  package func checkDue() async throws -> Int {
    let now = clock()
    let allowed = state.withLock { $0.allowance(now: now) }
    guard allowed > 0 else { return 0 }
    let due = now.addingTimeInterval(-Self.intervalSeconds)
    let members = refreshed.take(allowed)
    let taken = try await store.write { transaction in
      var taken: [(project: ProjectID, token: ProviderToken)] = []
      for provider in ProviderTraits.withCheckedRefreshTokens {
        for member in members {
          taken += try transaction.claimProviderTokens(
            of: member.uid, provider: provider, checkedBefore: due, now: now, in: member.project
          ).map { (member.project, $0) }
        }
        taken += try transaction.claimProviderTokens(
          of: provider, checkedBefore: due, now: now, limit: max(allowed - taken.count, 0))
      }
      return taken
    }
    state.withLock { $0.spend(taken.count) }
    await withDiscardingTaskGroup { group in
      for part in 0..<min(Self.concurrency, taken.count) {
        group.addTask {
          for index in stride(from: part, to: taken.count, by: Self.concurrency) {
            await self.check(taken[index].token, in: taken[index].project, now: now)
          }
        }
      }
    }
    return taken.count
  }

  private func check(_ token: ProviderToken, in project: ProjectID, now: Date) async {
    do {
      let found = try await store.read { transaction in
        // The provider may refuse the tokens of the old team, which means nothing about their users.
        try transaction.hasOpenSubjectTransfer(
          of: token.provider,
          preparedAfter: now.addingTimeInterval(-SubjectTransfer.maximumSeconds),
          in: project)
          ? nil : transaction.providerWithApps(token.provider, in: project)
      }
      guard let provider = found else { return count("skipped") }
      let isValid = try await federation.isValid(
        token.token, clientID: token.clientID.isEmpty ? nil : token.clientID, for: provider,
        now: now)
      let isCredible = state.withLock {
        $0.record(isValid: isValid, of: token, in: project, now: clock())
      }
      if isValid {
        count("valid")
      } else if isCredible {
        count("revoked")
        let origin = EventOrigin.current.with(actor: .provider(token.provider))
        try await EventOrigin.$current.withValue(origin) {
          try await store.write { try $0.applyRefusal(of: token, in: project, now: now) }
        }
      } else {
        count("doubted")
        logger.error(
          """
          The provider says of more than three of the last ten refresh tokens that they are not valid; no \
          session is ended. Is the provider's key of another team? If it isn't, and other tokens of the \
          project are valid, a later check of this token counts.
          """, metadata: ["provider": "\(token.provider)", "project": "\(project)"])
      }
    } catch let error as FederationError {
      count("failed")
      // The pause is for the tokens of all projects, so a project's own limit of calls is no reason for it.
      if error.isTemporary, error != .unreachable(.outbound(.busy)) {
        state.withLock { $0.backOff(now: clock()) }
      }
      logger.warning(
        "a refresh token could not be checked",
        metadata: ["project": "\(project)", "reason": "\(error)"])
    } catch {
      count("failed")
      logger.error(
        "the result of a refresh token's check could not be stored",
        metadata: ["project": "\(project)", "error": "\(error)"])
    }
  }

  private func count(_ outcome: String) {
    counters[outcome]?.increment()
  }
}
