import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// What the first factor of a sign-in showed, while the second one is still to be shown.
///
/// A client keeps it as its `mfaPendingCredential`, encrypted and bound to the project, and uses it once. It needs no
/// row until then. It is void as soon as its credential or the account's sessions end.
struct FirstFactor: Sendable {
  let uid: UID
  /// Of the account. Another account with the same id isn't meant.
  let createdAt: Date
  let provider: ProviderID
  /// As blocking functions get it.
  let method: String
  /// When it was shown. Kept to the millisecond.
  let shownAt: Date
  /// `auth_time` of the session, if it has to be earlier than that.
  var authenticatedAt: Date?
  var signInAttributes: SignInAttributes?
  /// The session in which the user linked the credential.
  var session: SessionID?
  var isNewUser = false
  /// Records the use of the credential: it ends one sign-in. Nil if there is none.
  var use: SingleUseToken?

  /// How long a client has for the second factor. Seconds.
  static let lifetimeSeconds: TimeInterval = 600

  /// - Throws: ``AccountsError/invalidPendingCredential`` if the account is another one, or if its sessions or
  ///   the credential ended since.
  func refuseStale(for account: Account) throws(AccountsError) {
    guard account.uid == uid, account.createdAt == createdAt.wholeMilliseconds,
      shownAt.wholeSeconds >= account.validSince, !account.isRevoked(since: shownAt),
      has(account)
    else { throw .invalidPendingCredential }
  }

  /// Whether a passkey of the account can be the second factor: the first one was none, and a passkey that an old
  /// session added may be a thief's.
  func leavesPasskey(of account: Account, under policies: ProjectPolicies) -> Bool {
    provider != .passkey && policies.passkeys.isEnabled
      && account.passkeys.all > account.passkeys.unconfirmed
  }

  /// Whether the account's user may enroll a second factor now, because the account has none to show. Whoever found a
  /// security key may not, if its owner has a password too.
  func mayEnroll(in account: Account, under policies: ProjectPolicies) -> Bool {
    guard account.secondFactors?.factors.isEmpty ?? true else { return false }
    return provider == .passkey
      ? !account.hasOtherCredentialThanPasskey : !leavesPasskey(of: account, under: policies)
  }

  /// Whether the account still has the credential that was shown.
  private func has(_ account: Account) -> Bool {
    switch provider {
    case .password:
      // A link to the address, or a password that hasn't changed since.
      account.email != nil
        && (method != ProviderID.password.text
          || account.password != nil && (account.passwordUpdatedAt ?? createdAt) <= shownAt)
    case .phone: account.phoneNumber != nil && (account.phoneLinkedAt ?? createdAt) <= shownAt
    case .passkey: account.passkeys.all > 0
    default:
      account.identity(of: provider).map { $0.linkedAt.wholeMilliseconds <= shownAt } ?? false
    }
  }
}

/// Writes and reads `mfaPendingCredential`.
struct FirstFactorCodec {
  let box: TokenBox

  private static let maximumBytes = 16 * 1024

  func credential(of first: FirstFactor, project: ProjectID) throws -> String {
    var fields = FieldWriter()
    fields.write(first.uid.text)
    fields.write(first.createdAt)
    fields.write(first.provider.text)
    fields.write(first.method)
    fields.write(first.authenticatedAt)
    fields.write(first.signInAttributes?.jsonText)
    fields.write(first.session?.description)
    fields.write(first.isNewUser)
    return try box.seal(fields, writtenAt: first.shownAt, bound: Self.bound(to: project))
  }

  /// - Throws: ``AccountsError/invalidPendingCredential`` if it is of another project, older than
  ///   ``FirstFactor/lifetimeSeconds``, or not written by this server.
  func firstFactor(
    in credential: String, project: ProjectID, now: Date
  ) throws(AccountsError) -> FirstFactor {
    guard credential.utf8.count <= Self.maximumBytes, let sealed = Base64URL.decode(credential),
      var opened = try? box.open(
        credential, bound: Self.bound(to: project),
        lifetimeSeconds: FirstFactor.lifetimeSeconds, now: now),
      var first = try? Self.firstFactor(&opened.fields, shownAt: opened.writtenAt)
    else { throw .invalidPendingCredential }
    first.use = SingleUseToken(
      digest: Array(SHA256.hash(data: sealed)),
      acceptedUntil: opened.writtenAt.addingTimeInterval(FirstFactor.lifetimeSeconds))
    EventOrigin.current.subject?.set(uid: first.uid)
    return first
  }

  private static func firstFactor(
    _ fields: inout FieldReader, shownAt: Date
  ) throws -> FirstFactor {
    guard let uid = try fields.string().flatMap({ UID($0) }), let createdAt = try fields.date(),
      let provider = try fields.string().flatMap({ ProviderID($0) }),
      let method = try fields.string()
    else { throw FieldReader.Malformed() }
    var first = FirstFactor(
      uid: uid, createdAt: createdAt, provider: provider, method: method, shownAt: shownAt)
    first.authenticatedAt = try fields.date()
    first.signInAttributes = try fields.string().map { SignInAttributes(written: $0) }
    first.session = try fields.string().flatMap { SessionID($0) }
    first.isNewUser = try fields.flag() ?? false
    return first
  }

  /// Ids of projects contain no space.
  private static func bound(to project: ProjectID) -> String { "first factor \(project.text)" }
}

/// How a transaction ends that signs a user in.
enum SignInEnding: Sendable {
  case session(Account, Session, isNew: Bool)
  case secondFactorNeeded(Account, FirstFactor)
  /// A blocking function disabled the account. It is saved, and no session began.
  case disabled
}

/// The result of a sign-in.
package enum SignInResult: Sendable {
  case signedIn(SignedIn)
  case secondFactorNeeded(SecondFactorDemand)
}

/// The first factor is right, and the account's user has to show a second one, or to enrol one.
package struct SecondFactorDemand: Sendable {
  package let account: Account
  package let isNewUser: Bool
  /// `mfaPendingCredential`.
  package let pendingCredential: String
  /// A passkey can stand for the second factor: the account has one, and the first factor was none.
  package let hasPasskeys: Bool
  /// The account has no second factor, and its project requires one.
  package let isEnrollment: Bool

  package var factors: SecondFactors { account.secondFactors ?? SecondFactors() }
}

extension AccountsService {
  var firstFactors: FirstFactorCodec { FirstFactorCodec(box: pendingTokens.box) }

  /// Issues what the client gets at the end of a transaction, when the transaction is durable.
  ///
  /// - Throws: ``AccountsError/userDisabled``.
  func result(of ending: SignInEnding, in project: Project, now: Date) throws -> SignInResult {
    switch ending {
    case .disabled: throw AccountsError.userDisabled
    case .session(let account, let session, let isNew):
      return .signedIn(
        SignedIn(
          account: account, session: session,
          tokens: try sessions.tokens(for: account, session, in: project, now: now),
          isNewUser: isNew))
    case .secondFactorNeeded(let account, let first):
      SignInOutcome.secondFactorNeeded.count(first.provider)
      return .secondFactorNeeded(
        SecondFactorDemand(
          account: account, isNewUser: first.isNewUser,
          pendingCredential: try firstFactors.credential(of: first, project: project.id),
          hasPasskeys: first.leavesPasskey(of: account, under: project.policies),
          isEnrollment: first.mayEnroll(in: account, under: project.policies)))
    }
  }
}
