import Foundation
import GatehouseJSON
import GatehouseWire

/// `accounts:update` of the user's own account.
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

  /// A new email address or password ends the session of the ID token. The same request would then
  /// be refused, and the user signed out.
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

/// `accounts:update` with an emailed code. The code can be used once.
struct ApplyCodeCall: ServerCall {
  var code: String

  var path: String { "v1/accounts:update" }

  func write(to writer: inout JSONWriter) { writer.member("oobCode", code) }
  func answer(_ fields: WireFields) throws(WireError) {}
}
