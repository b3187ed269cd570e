import Foundation
import GatehouseProtocol

extension GivenConsent {
  /// - Throws: ``APIError`` with `INVALID_CONSENT`, even if no consent is required.
  init(checking message: ConsentMessage) throws(APIError) {
    var joins: [AccountPart] = []
    for name in message.joins.prefix(Self.maximumParts + 1) {
      guard let part = AccountPart(name: name) else {
        throw .refused(.invalidConsent, "joins holds provider ids, \"email\" and \"phone\".")
      }
      joins.append(part)
    }
    guard let consent = GivenConsent(version: message.version, joins: joins) else {
      throw .refused(
        .invalidConsent,
        "version is a text of 1 to \(Self.maximumVersionBytes) bytes, and joins "
          + "a list of 1 to \(Self.maximumParts).")
    }
    self = consent
  }
}

extension ConsentRequired {
  init(_ parts: [AccountPart]) { self.init(joins: parts.map(\.name)) }
}

extension ConsentInfo {
  init(_ consent: Consent) {
    self.init(
      version: consent.version, joins: consent.joins.map(\.name),
      givenAt: UserInfo.milliseconds(consent.givenAt))
  }
}

extension APIServices {
  /// Accounts as shown to an administrator: with the users' consents and passkeys.
  func administered(_ accounts: [Account], in project: Project) async throws -> [UserInfo] {
    let consents = try await self.accounts.consents(of: accounts.map(\.uid), in: project)
    let passkeys = try await self.accounts.passkeys(of: accounts, in: project)
    return accounts.map { account in
      var user = UserInfo(
        account, forAdministrator: true, passkeys: passkeys[account.uid] ?? [])
      user.consents = consents[account.uid, default: []].map { ConsentInfo($0) }
      return user
    }
  }
}
