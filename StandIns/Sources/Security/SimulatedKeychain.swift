import Foundation
import Synchronization

/// The device's keychain, in memory, with the controls for tests.
public enum SimulatedKeychain {
  /// Before the first unlock after a start: every call fails with `errSecInteractionNotAllowed`.
  public static var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// The error with which every call fails. Nil for none.
  public static var failure: OSStatus? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// The access group of an item that names none: the first group of the app's entitlements, which
  /// may be a shared group, or else the app's own.
  public static var defaultGroup: String {
    get { state.withLock { $0.defaultGroup } }
    set { state.withLock { $0.defaultGroup = newValue } }
  }

  /// Erases the keychain. Deleting the app doesn't: a keychain outlives it.
  public static func erase() { state.withLock { $0 = Keychain() } }

  public static var itemCount: Int { state.withLock { $0.items.count } }

  /// Removes the service's items, as another process of the app's group does.
  public static func removeAll(service: String) {
    state.withLock { keychain in
      keychain.items.removeAll { $0.attributes[kSecAttrService] == .text(service) }
    }
  }

  /// Writes new data into the service's items, as another process of the app's group does.
  public static func replaceAll(service: String, with data: Data) {
    state.withLock { keychain in
      for index in keychain.indices(matching: [kSecAttrService: .text(service)]) {
        keychain.items[index].data = data
        keychain.items[index].attributes[kSecAttrGeneric] = .data(Data(UUID().uuidString.utf8))
      }
    }
  }

  static let state = Mutex(Keychain())
}

struct Keychain: Sendable {
  var items: [Item] = []
  var isLocked = false
  var failure: OSStatus?
  var defaultGroup = "TEAM123456.com.example.app"

  /// The attributes that identify an item. Two items that differ in one of them are different
  /// items.
  static let primary = [
    kSecClass, kSecAttrAccessGroup, kSecAttrService, kSecAttrAccount, kSecAttrServer,
    kSecAttrSynchronizable,
  ]
  /// The keys of a query that are not attributes.
  static let directions: Set<String> = [
    kSecMatchLimit, kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef,
    kSecUseDataProtectionKeychain, kSecUseAuthenticationUI, kSecUseAuthenticationContext,
    kSecValueData,
  ]

  struct Item: Sendable {
    var attributes: [String: Value]
    var data: Data?
  }

  /// The types of attributes that are supported here.
  enum Value: Sendable, Hashable {
    case text(String)
    case bool(Bool)
    case data(Data)
    case date(Date)

    init?(_ value: Any) {
      switch value {
      case let text as String: self = .text(text)
      case let bool as Bool: self = .bool(bool)
      case let data as Data: self = .data(data)
      case let date as Date: self = .date(date)
      default: return nil
      }
    }

    var any: Any {
      switch self {
      case .text(let text): text
      case .bool(let bool): bool
      case .data(let data): data
      case .date(let date): date
      }
    }
  }

  var refusal: OSStatus? { failure ?? (isLocked ? errSecInteractionNotAllowed : nil) }

  static func attributes(of query: CFDictionary) -> [String: Value]? {
    var attributes: [String: Value] = [:]
    for (name, value) in query where !directions.contains(name) {
      guard let value = Value(value) else { return nil }
      attributes[name] = value
    }
    // An item without this attribute is not synchronized.
    if attributes[kSecAttrSynchronizable] == .text(kSecAttrSynchronizableAny) {
      attributes[kSecAttrSynchronizable] = nil
    } else if attributes[kSecAttrSynchronizable] == nil {
      attributes[kSecAttrSynchronizable] = .bool(false)
    }
    return attributes
  }

  func indices(matching attributes: [String: Value]) -> [Int] {
    items.indices.filter { index in
      attributes.allSatisfy { items[index].attributes[$0] == $1 }
    }
  }
}
