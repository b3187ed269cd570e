import Foundation

/// The user that Google's SDK for Firebase keeps in the keychain: a keyed archive of `FIRUser`. Its form is
/// the same in the SDK's versions 4 to 12.
///
/// Only the classes below are created from the archive, whatever it names.
struct FirebaseArchive {
  var snapshot: UserSnapshot
  var refreshToken: String
  /// The ID token that the SDK held last. It may have expired.
  var idToken: String
  /// The API key of the Firebase project; nil if the archive has none.
  var apiKey: String?

  /// - Parameter rootKey: The name of the user in the archive.
  /// - Throws: ``StoreFault`` with the kind `damaged`.
  init(_ data: Data, rootKey: String) throws(StoreFault) {
    guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else {
      throw StoreFault(.damaged, detail: "The item of Google's SDK isn't a keyed archive.")
    }
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    unarchiver.setClass(ArchivedUser.self, forClassName: "FIRUser")
    unarchiver.setClass(ArchivedTokens.self, forClassName: "FIRSecureTokenService")
    unarchiver.setClass(ArchivedIdentity.self, forClassName: "FIRUserInfoImpl")
    unarchiver.setClass(ArchivedTimes.self, forClassName: "FIRUserMetadata")
    defer { unarchiver.finishDecoding() }
    guard let user = unarchiver.decodeObject(of: ArchivedUser.self, forKey: rootKey) else {
      throw StoreFault(.damaged, detail: "The item of Google's SDK has no user.")
    }
    snapshot = user.snapshot
    refreshToken = user.tokens.refreshToken
    idToken = user.tokens.accessToken
    apiKey = user.apiKey ?? user.tokens.apiKey
  }
}

private final class ArchivedUser: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let snapshot: UserSnapshot
  let tokens: ArchivedTokens
  let apiKey: String?

  init?(coder: NSCoder) {
    guard let uid = coder.text("userID"), !uid.isEmpty,
      let tokens = coder.object(ArchivedTokens.self, "tokenService")
    else { return nil }
    self.tokens = tokens
    apiKey = coder.text("APIKey")
    var snapshot = UserSnapshot(uid: uid)
    snapshot.isAnonymous = coder.flag("anonymous")
    snapshot.email = coder.text("email")
    snapshot.isEmailVerified = coder.flag("emailVerified")
    snapshot.displayName = coder.text("displayName")
    snapshot.photoURL = coder.url("photoURL")
    snapshot.phoneNumber = coder.text("phoneNumber")
    snapshot.tenantID = coder.text("tenantID")
    let identities =
      coder.containsValue(forKey: "providerData")
      ? coder.decodeObject(
        of: [NSDictionary.self, NSString.self, ArchivedIdentity.self], forKey: "providerData") : nil
    // A dictionary has no order.
    snapshot.providers = ((identities as? NSDictionary)?.allValues ?? [])
      .compactMap { ($0 as? ArchivedIdentity)?.identity }
      .sorted { $0.provider.rawValue < $1.provider.rawValue }
    let times = coder.object(ArchivedTimes.self, "metadata")
    snapshot.createdAt = times?.createdAt
    snapshot.lastSignInAt = times?.lastSignInAt
    self.snapshot = snapshot
  }

  func encode(with coder: NSCoder) {}
}

private final class ArchivedTokens: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let refreshToken: String
  let accessToken: String
  let apiKey: String?

  init?(coder: NSCoder) {
    guard let refreshToken = coder.text("refreshToken"), !refreshToken.isEmpty,
      let accessToken = coder.text("accessToken")
    else { return nil }
    self.refreshToken = refreshToken
    self.accessToken = accessToken
    apiKey = coder.text("APIKey")
  }

  func encode(with coder: NSCoder) {}
}

private final class ArchivedIdentity: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let identity: LinkedProvider

  init?(coder: NSCoder) {
    guard let provider = coder.text("providerID"), let uid = coder.text("userID") else {
      return nil
    }
    var identity = LinkedProvider(provider: Provider(provider), uid: uid)
    identity.displayName = coder.text("displayName")
    identity.photoURL = coder.url("photoURL")
    identity.email = coder.text("email")
    identity.phoneNumber = coder.text("phoneNumber")
    self.identity = identity
  }

  func encode(with coder: NSCoder) {}
}

private final class ArchivedTimes: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let createdAt: Date?
  let lastSignInAt: Date?

  init?(coder: NSCoder) {
    createdAt = coder.time("creationDate")
    lastSignInAt = coder.time("lastSignInDate")
  }

  func encode(with coder: NSCoder) {}
}

extension NSCoder {
  fileprivate func text(_ key: String) -> String? {
    object(NSString.self, key).map { String($0) }
  }

  fileprivate func url(_ key: String) -> URL? { object(NSURL.self, key)?.absoluteURL }

  fileprivate func time(_ key: String) -> Date? {
    object(NSDate.self, key).map {
      Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
    }
  }

  fileprivate func flag(_ key: String) -> Bool {
    containsValue(forKey: key) && decodeBool(forKey: key)
  }

  /// Nil if it is absent: on Linux, asking for what is absent ends the decoding.
  fileprivate func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String)
    -> Object?
  {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }
}
