import Foundation
import GatehouseProtocol

/// `accounts:update` of the user's own account.
struct UpdateCall: ServerCall {
  enum Change: Sendable {
    case profile(ProfileChange)
    case email(String)
    case password(String)
    case unlink(Provider)

    /// Whether the server ends the session, and begins another one.
    var endsSession: Bool {
      switch self {
      case .email, .password: true
      case .profile, .unlink: false
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
