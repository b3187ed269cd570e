public import Foundation
import GatehouseProtocol

/// `accounts:lookup`: the user's account on the server.
struct LookupCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:lookup" }
  var isRepeatable: Bool { true }

  var request: LookupRequest { LookupRequest(idToken: idToken) }

  func answer(_ response: LookupResponse) throws(WireError) -> AccountInfo {
    guard let user = response.users.first else {
      throw WireError(field: "users", wanted: .list)
    }
    return AccountInfo(user)
  }
}

/// An account as the server shows it to its user.
struct AccountInfo: Sendable {
  var uid: String
  var email: String?
  var isEmailVerified: Bool
  var displayName: String?
  var photoURL: URL?
  var phoneNumber: String?
  var providers: [LinkedProvider]
  var secondFactors: [SecondFactor]
  var recoveryCodesLeft: Int?
  var passkeys: [Passkey]
  var createdAt: Date?
  var lastSignInAt: Date?
  /// Whether the account was created by a custom token of the app's back end.
  var isCustom: Bool
  var tenantID: String?

  init(_ user: UserInfo) {
    uid = user.localID
    email = user.email
    isEmailVerified = user.emailVerified ?? false
    displayName = user.displayName
    photoURL = user.photoURL.flatMap { URL(string: $0) }
    phoneNumber = user.phoneNumber
    providers = user.providers.compactMap { LinkedProvider($0) }
    secondFactors = (user.mfaInfo ?? []).compactMap { SecondFactor($0) }
    recoveryCodesLeft = user.recoveryCodesLeft
    passkeys = user.passkeys.map { Passkey($0) }
    createdAt = user.createdAt.flatMap { Date(wireMilliseconds: $0) }
    lastSignInAt = user.lastLoginAt.flatMap { Date(wireMilliseconds: $0) }
    isCustom = user.isCustomAuth
    tenantID = user.tenantID
  }
}

extension LinkedProvider {
  /// Nil for an entry without a provider's name, which can't be used.
  init?(_ info: ProviderUserInfo) {
    guard let name = info.providerID else { return nil }
    self.init(
      provider: Provider(name),
      uid: info.rawID ?? info.federatedID ?? info.email ?? info.phoneNumber ?? "")
    displayName = info.displayName
    photoURL = info.photoURL.flatMap { URL(string: $0) }
    email = info.email
    phoneNumber = info.phoneNumber
    isRevokedOnDeletion = info.isRevokedOnDeletion ? true : nil
    consentRevokedAt = info.consentRevokedAt.flatMap { Date(wireMilliseconds: $0) }
  }
}

extension Date {
  /// Milliseconds since 1970, from 0 to the end of the year 9999; nil otherwise.
  init?(wireMilliseconds value: Int64) {
    guard (0...253_402_300_799_999).contains(value) else { return nil }
    self.init(timeIntervalSince1970: Double(value) / 1000)
  }
}

/// `accounts:update` of the user's own account.
struct UpdateCall: ServerCall {
  enum Change: Sendable {
    case profile(ProfileChange)
    case email(String)
    case password(String)
    case unlink(Provider)
    case removePasskeys([String])

    /// Whether the server ends the session, and begins another one.
    var endsSession: Bool {
      switch self {
      case .email, .password: true
      case .profile, .unlink, .removePasskeys: false
      }
    }
  }

  var idToken: String
  var change: Change
  var consent: Consent?

  var path: String { "v1/accounts:update" }

  /// Only a change of the profile may be sent again if no response arrived.
  ///
  /// A new email address or password ends the session of the ID token. If the first request
  /// succeeded, the server would reject the second one, and the client would sign the user out.
  var isRepeatable: Bool { if case .profile = change { true } else { false } }

  var request: UpdateRequest {
    var request = UpdateRequest()
    request.idToken = idToken
    switch change {
    case .profile(let profile): request.add(profile)
    case .email(let email): request.email = email
    case .password(let password): request.password = password
    case .unlink(let provider): request.deletedProviders = [provider.rawValue]
    case .removePasskeys(let ids): request.deletedPasskeys = ids
    }
    request.returnsSecureToken = true
    request.consent = consent.map { ConsentMessage($0) }
    return request
  }

  func answer(_ response: UpdateResponse) throws(WireError) -> HeldTokens? {
    guard let tokens = response.tokens else { return nil }
    return try HeldTokens(tokens)
  }
}

extension UpdateRequest {
  fileprivate mutating func add(_ profile: ProfileChange) {
    switch profile.displayName {
    case .keep: break
    case .set(let name): displayName = name
    case .remove: deletedAttributes.append(.displayName)
    }
    switch profile.photoURL {
    case .keep: break
    case .set(let url): photoURL = url.absoluteString
    case .remove: deletedAttributes.append(.photoURL)
    }
  }
}

/// `accounts:update` with an emailed code. The code can be used once.
struct ApplyCodeCall: ServerCall {
  var code: String

  var path: String { "v1/accounts:update" }

  var request: UpdateRequest {
    var request = UpdateRequest()
    request.oobCode = code
    return request
  }

  func answer(_ response: EmptyResponse) throws(WireError) {}
}

/// `accounts:export` of the user's own account.
struct ExportCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:export" }
  var isRepeatable: Bool { true }

  var request: ExportRequest { ExportRequest(idToken: idToken) }

  func answer(_ response: ExportResponse) throws(WireError) -> [UInt8] { response.document }
}

/// `accounts:delete` of the user's own account. If it is sent again after a lost response, the
/// server may refuse with `USER_NOT_FOUND`, which then means success.
struct DeleteCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:delete" }
  var isRepeatable: Bool { true }

  var request: DeleteRequest { DeleteRequest(idToken: idToken) }

  func answer(_ response: DeleteResponse) throws(WireError) -> DeletionConfirmation {
    DeletionConfirmation(
      receipt: response.receipt,
      erasesAt: response.deletionScheduledFor.flatMap { Date(wireMilliseconds: $0) })
  }

  func answer(afterLoss refusal: ServerRefusal) -> DeletionConfirmation? {
    refusal.code == ErrorCode.userNotFound.rawValue ? DeletionConfirmation() : nil
  }
}

/// The server's confirmation of a deletion.
public struct DeletionConfirmation: Sendable, Hashable {
  /// A JWT, signed by the server, that states what was erased and when, without personal data. Nil
  /// from a server without receipts, or if the response was lost.
  public var receipt: String?
  /// When the account is erased. Until then the user can keep it by signing in again. Nil if the
  /// account is already erased.
  public var erasesAt: Date?

  public init(receipt: String? = nil, erasesAt: Date? = nil) {
    self.receipt = receipt
    self.erasesAt = erasesAt
  }
}
