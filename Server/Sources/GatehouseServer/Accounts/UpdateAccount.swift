import Foundation
import GatehouseProtocol
import GatehouseTokens

/// An administrator's `accounts:update`: changes any account, by `localId`.
struct UpdateAccount: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v1/projects/*/accounts:update", "accounts.update", role: .support,
        answer
      )
      .alsoOfClients
    ]
  }

  /// The end of the year 9999, in seconds since 1970. Later times are rejected.
  private static let latestTime: Int64 = 253_402_300_799

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(UpdateRequest.self)
    guard let localID = request.localID else { throw APIError.refused(.missingLocalID) }
    // Back ends decide on them, so they can be a right in the app.
    if request.customAttributes != nil { try call.require(.administrator) }
    let changes = try Self.changes(request)
    guard let uid = UID(localID) else { throw AccountsError.userNotFound }
    let account = try await services.accounts.updateAccount(
      uid, with: changes, in: try call.requireProject(), now: call.now)
    return Answer(UpdateResponse(user: UserInfo(account, forAdministrator: true), tokens: nil))
  }

  private static func changes(_ request: UpdateRequest) throws -> AdministratorChanges {
    var changes = AdministratorChanges()
    changes.profile = try ProfileChanges(request)
    // An administrator sets `validSince` to a time of their choice.
    changes.profile.revokesTokens = false
    changes.isEmailVerified = request.emailVerified
    changes.isDisabled = request.disableUser
    if let phoneNumber = request.phoneNumber {
      changes.phoneNumber = .set(try PhoneNumber(checking: phoneNumber).text)
    }
    if let text = request.customAttributes {
      changes.customClaims = text.isEmpty ? .remove : .set(try CustomClaims(jsonText: text))
    }
    if request.createdAt != nil {
      throw APIError.refused(.operationNotAllowed, "createdAt can't be changed.")
    }
    if let milliseconds = request.lastLoginAt {
      guard (0...latestTime * 1000).contains(milliseconds) else {
        throw APIError.invalidArgument("lastLoginAt isn't a time in milliseconds.")
      }
      changes.lastLoginAt = Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
    if let seconds = request.validSince {
      guard (0...latestTime).contains(seconds) else {
        throw APIError.invalidArgument("validSince isn't a time in seconds.")
      }
      changes.validSince = Date(timeIntervalSince1970: TimeInterval(seconds))
    }
    if let factors = request.secondFactors {
      changes.secondFactors = try AssignedFactor.checking(factors, areNew: false)
    }
    if let linked = request.linkedProvider { changes.link = try assigned(linked) }
    return changes
  }

  private static func assigned(_ linked: ProviderUserInfo) throws -> AssignedIdentity {
    guard let providerID = linked.providerID else { throw APIError.refused(.missingProviderID) }
    guard let rawID = linked.rawID else { throw APIError.refused(.missingRawID) }
    guard let provider = ProviderID(providerID),
      ![.password, .phone, .anonymous, .custom].contains(provider)
    else { throw APIError.refused(.invalidProviderID) }
    guard let subject = Subject(rawID) else { throw APIError.refused(.invalidFederatedUserID) }
    try ProfileBounds.check(displayName: linked.displayName, photoURL: linked.photoURL)
    var identity = AssignedIdentity(provider: provider, subject: subject)
    identity.email = linked.email.flatMap { EmailAddress($0) }
    identity.displayName = linked.displayName
    identity.photoURL = linked.photoURL
    return identity
  }
}
