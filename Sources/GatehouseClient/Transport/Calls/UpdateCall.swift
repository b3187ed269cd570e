import Foundation
import GatehouseJSON
import GatehouseWire

/// `accounts:update` of one's own account.
struct UpdateCall: ServerCall {
  enum Change: Sendable {
    case profile(ProfileChange)
    case email(String)
    case password(String)
    case unlink(Provider)
  }

  var idToken: String
  var change: Change
  var consent: Consent?

  var path: String { "v1/accounts:update" }

  /// A new address or password ends the session that the ID token is of, so the same request again
  /// would be refused, and the person signed out.
  var isRepeatable: Bool { if case .profile = change { true } else { false } }

  func write(to writer: inout JSONWriter) {
    writer.member("idToken", idToken)
    switch change {
    case .profile(let profile): profile.write(to: &writer)
    case .email(let email): writer.member("email", email)
    case .password(let password): writer.member("password", password)
    case .unlink(let provider): writer.member("deleteProvider", [provider.rawValue])
    }
    writer.member("returnSecureToken", true)
    consent?.write(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> HeldTokens? { try fields.tokens() }
}

extension ProfileChange {
  fileprivate func write(to writer: inout JSONWriter) {
    var removed: [String] = []
    switch displayName {
    case .keep: break
    case .set(let name): writer.member("displayName", name)
    case .remove: removed.append("DISPLAY_NAME")
    }
    switch photoURL {
    case .keep: break
    case .set(let url): writer.member("photoUrl", url.absoluteString)
    case .remove: removed.append("PHOTO_URL")
    }
    if !removed.isEmpty { writer.member("deleteAttribute", removed) }
  }
}

/// `accounts:update` with a code that was mailed. The code is good once.
struct ApplyCodeCall: ServerCall {
  var code: String

  var path: String { "v1/accounts:update" }

  func write(to writer: inout JSONWriter) { writer.member("oobCode", code) }
  func answer(_ fields: WireFields) throws(WireError) {}
}
