import Foundation

@testable import GatehouseClient
@testable import class GatehouseProtocol.Locked

/// The keychain items of Google's SDK, in memory. The server's package uses this file, too.
final class LeftByGoogle: FirebaseItems {
  private static let rootKey = "__FIRAPP_DEFAULT_firebase_user"

  private let state: Locked<(archive: Data?, fault: StoreFault?)>

  init(uid: String, idToken: String, refreshToken: String = "google-refresh") {
    let archive = Self.archive(uid: uid, idToken: idToken, refreshToken: refreshToken)
    state = Locked((Data(archive.utf8), nil))
  }

  var archive: Data? {
    get { state.withLock(\.archive) }
    set { state.withLock { $0.archive = newValue } }
  }

  var fault: StoreFault? {
    get { state.withLock(\.fault) }
    set { state.withLock { $0.fault = newValue } }
  }

  var isEmpty: Bool { archive == nil }

  func find() throws(StoreFault) -> (archive: Data, rootKey: String)? {
    if let fault { throw fault }
    return archive.map { ($0, Self.rootKey) }
  }

  func remove() throws(StoreFault) {
    if let fault { throw fault }
    archive = nil
  }

  /// The archive of Google's SDK as an XML property list, in which its references can be written.
  static func archive(
    uid: String, idToken: String, refreshToken: String = "google-refresh"
  ) -> String {
    let reference = { (index: Int) in "<dict><key>CF$UID</key><integer>\(index)</integer></dict>" }
    let object = { (fields: [(String, String)]) in
      "<dict>" + fields.map { "<key>\($0)</key>\($1)" }.joined() + "</dict>"
    }
    let named = { (name: String) in
      object([
        ("$classname", "<string>\(name)</string>"),
        ("$classes", "<array><string>\(name)</string><string>NSObject</string></array>"),
      ])
    }
    let objects = [
      "<string>$null</string>",
      object([
        ("$class", reference(2)), ("userID", reference(3)), ("email", reference(4)),
        ("tokenService", reference(5)), ("providerData", reference(9)), ("APIKey", reference(15)),
        // Of a class that isn't created.
        ("multiFactor", reference(16)),
      ]),
      named("FIRUser"), "<string>\(uid)</string>", "<string>alice@example.com</string>",
      object([
        ("$class", reference(6)), ("refreshToken", reference(7)), ("accessToken", reference(8)),
      ]),
      named("FIRSecureTokenService"), "<string>\(refreshToken)</string>",
      "<string>\(idToken)</string>",
      object([
        ("$class", reference(10)), ("NS.keys", "<array>\(reference(11))</array>"),
        ("NS.objects", "<array>\(reference(12))</array>"),
      ]),
      named("NSDictionary"), "<string>google.com</string>",
      object([
        ("$class", reference(13)), ("providerID", reference(11)), ("userID", reference(14)),
      ]),
      named("FIRUserInfoImpl"), "<string>google-alice</string>", "<string>old-key</string>",
      object([("$class", reference(17))]), named("FIRMultiFactor"),
    ]
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      \(object([
        ("$archiver", "<string>NSKeyedArchiver</string>"), ("$version", "<integer>100000</integer>"),
        ("$top", object([(rootKey, reference(1))])),
        ("$objects", "<array>\(objects.joined())</array>"),
      ]))
      </plist>
      """
  }
}
