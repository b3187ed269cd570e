import Crypto
package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Someone who administers with the console: an account of ``ConsoleProject``. Its id is the name in the event log, and
/// its custom claims say what it may do.
struct ConsoleUser: Sendable {
  let account: Account
  let role: AdministratorRole
  /// The one project that they administer; nil: all.
  let project: ProjectID?

  /// Nil if the account's claims name no role.
  init?(_ account: Account) {
    guard let text = account.customClaims?.jsonText,
      let claims = try? JSONObject(parsing: text),
      let role = claims["role"]?.string.flatMap(AdministratorRole.init(rawValue:))
    else { return nil }
    if let name = claims["project"]?.string {
      guard let project = ProjectID(name) else { return nil }
      self.project = project
    } else {
      project = nil
    }
    self.account = account
    self.role = role
  }

  /// Whether the user has accepted an invitation, and has what a sign-in to the console needs.
  var canSignIn: Bool {
    account.passkeys.all > 0
      || account.password != nil && !(account.secondFactors?.factors.isEmpty ?? true)
  }

  static func claims(_ role: AdministratorRole, _ project: ProjectID?) throws -> CustomClaims {
    var claims: JSONObject = ["role": .string(role.rawValue)]
    claims["project"] = project.map { .string($0.text) }
    return try CustomClaims(jsonText: JSONValue.object(claims).text())
  }
}

/// The console's users and their invitations.
package struct ConsoleUsers: Sendable {
  let services: APIServices
  let publicURL: String

  package init(services: APIServices, publicURL: String) {
    self.services = services
    self.publicURL = publicURL
  }

  /// How long an invitation can be accepted. Seconds: three days.
  static let invitationSeconds: TimeInterval = 3 * 86_400
  /// There are people, not machines, so one page shows all.
  static let limit = 1000
  private static let bound = "console invitation"

  /// Made if there is none.
  var project: Project {
    get async throws { try await ConsoleProject.made(in: services.projects, publicURL: publicURL) }
  }

  func all() async throws -> [ConsoleUser] {
    let project = try await project
    return try await services.accounts.store.read {
      try $0.accounts(after: nil, limit: Self.limit, in: project.id)
    }.compactMap { ConsoleUser($0) }
  }

  /// - Throws: ``AccountsError/userNotFound``.
  func user(_ uid: UID) async throws -> ConsoleUser {
    let project = try await project
    let account = try await services.accounts.store.read { try $0.account(uid, in: project.id) }
    guard let user = account.flatMap({ ConsoleUser($0) }) else { throw AccountsError.userNotFound }
    return user
  }

  /// Creates a user who can't sign in yet.
  ///
  /// - Throws: ``AccountsError/duplicateLocalID``, ``AccountsError/emailExists``.
  func create(
    _ uid: UID, email: EmailAddress?, _ role: AdministratorRole, of administered: ProjectID?,
    now: Date
  ) async throws -> ConsoleUser {
    var changes = AdministratorChanges()
    if let email {
      changes.profile.email = .set(email)
      changes.isEmailVerified = true
    }
    changes.customClaims = .set(try ConsoleUser.claims(role, administered))
    let account = try await services.accounts.createAccount(
      uid: uid, changes, in: try await project, now: now)
    guard let user = ConsoleUser(account) else { throw AccountsError.userNotFound }
    return user
  }

  /// - Throws: ``AccountsError/userNotFound``.
  func change(
    _ uid: UID, to role: AdministratorRole, of administered: ProjectID?, now: Date
  ) async throws -> ConsoleUser {
    _ = try await user(uid)
    var changes = AdministratorChanges()
    changes.customClaims = .set(try ConsoleUser.claims(role, administered))
    let account = try await services.accounts.updateAccount(
      uid, with: changes, in: try await project, now: now)
    guard let user = ConsoleUser(account) else { throw AccountsError.userNotFound }
    return user
  }

  /// - Throws: ``AccountsError/userNotFound``.
  func remove(_ uid: UID, now: Date) async throws {
    _ = try await user(uid)
    _ = try await services.accounts.deleteAccount(uid, in: try await project, now: now)
  }

  /// A link with which the user signs in, once, to add a passkey, or a password and an authenticator app. What the user
  /// had before is taken away, so that it also helps somebody who lost a device. Earlier links end.
  ///
  /// - Throws: ``AccountsError/userNotFound``.
  func invite(_ uid: UID, now: Date) async throws -> String {
    let project = try await project
    let before = try await user(uid).account
    var changes = AdministratorChanges()
    changes.profile.password = .remove
    changes.profile.removedPasskeys = try await services.accounts.passkeys(of: before, in: project)
      .map(\.credentialID)
    changes.secondFactors = []
    changes.validSince = now
    let account = try await services.accounts.updateAccount(
      uid, with: changes, in: project, now: now)
    var fields = FieldWriter()
    fields.write(uid.text)
    fields.write(account.createdAt)
    let invitation = try services.accounts.pendingTokens.box.seal(
      fields, writtenAt: now, bound: Self.bound)
    return "\(publicURL)/console#invitation=\(invitation)"
  }

  /// Signs the invited user in. The session may not administer: see ``ConsoleSessions``.
  ///
  /// - Parameter email: For a user who has none. Whoever has the link may choose it.
  /// - Throws: ``AccountsError/tokenExpired`` if the link is old, was used, or isn't the latest one;
  ///   ``AccountsError/emailExists``.
  func accept(_ invitation: String, email: EmailAddress?, now: Date) async throws -> SignedIn {
    let project = try await project
    guard invitation.utf8.count <= 2048, let sealed = Base64URL.decode(invitation),
      var opened = try? services.accounts.pendingTokens.box.open(
        invitation, bound: Self.bound, lifetimeSeconds: Self.invitationSeconds, now: now),
      let uid = try? opened.fields.string().flatMap({ UID($0) }),
      let createdAt = try? opened.fields.date()
    else { throw AccountsError.tokenExpired }
    let spending = SingleUseToken(
      digest: Array(SHA256.hash(data: sealed)),
      acceptedUntil: opened.writtenAt.addingTimeInterval(Self.invitationSeconds))
    let writtenAt = opened.writtenAt
    let (account, session) = try await services.accounts.store.write { transaction in
      guard try transaction.spend(spending, in: project.id),
        let before = try transaction.account(uid, in: project.id),
        before.createdAt.wholeMilliseconds == createdAt, !before.isDisabled,
        // A later invitation ends this one.
        !before.isRevoked(since: writtenAt)
      else { throw AccountsError.tokenExpired }
      var account = before
      if let email, account.email == nil {
        if try transaction.account(email: email, in: project.id) != nil {
          throw AccountsError.emailExists
        }
        account.replaceEmail(by: email)
        account.verifyEmail(now: now)
      }
      _ = account.recordSignIn(language: nil, now: now)
      try transaction.save(account, replacing: before, in: project.id, now: now)
      let session = try transaction.beginSession(
        of: account, by: .custom, admission: .notNeeded, in: project, now: now)
      return (account, session)
    }
    return SignedIn(
      account: account, session: session,
      tokens: try services.accounts.sessions.tokens(for: account, session, in: project, now: now),
      isNewUser: false)
  }

  private static let first = UID("owner")

  /// Whether nobody has accepted an invitation, and nobody was invited but by ``firstInvitation(now:)``.
  package var awaitFirst: Bool {
    get async throws {
      try await all().allSatisfy { $0.account.uid == Self.first && !$0.canSignIn }
    }
  }

  /// An invitation for the first user, `owner`; nil if there is one.
  package func firstInvitation(now: Date) async throws -> String? {
    guard let uid = Self.first, try await awaitFirst else { return nil }
    if try await all().isEmpty {
      _ = try await create(uid, email: nil, .owner, of: nil, now: now)
    }
    return try await invite(uid, now: now)
  }
}
