import Foundation
import Synchronization

/// The device's keychain, in memory: what a test does to it.
public enum SimulatedKeychain {
  /// Before the first unlock after a start: every call fails with `errSecInteractionNotAllowed`.
  public static var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// What every call fails with, if anything.
  public static var failure: OSStatus? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// Where an item goes that names no group: the first of the app's entitlement, which may be one that
  /// it shares, or else the app's own.
  public static var defaultGroup: String {
    get { state.withLock { $0.defaultGroup } }
    set { state.withLock { $0.defaultGroup = newValue } }
  }

  /// Deleting the app doesn't: a keychain outlives it.
  public static func erase() { state.withLock { $0 = Keychain() } }

  public static var itemCount: Int { state.withLock { $0.items.count } }

  static let state = Mutex(Keychain())
}

struct Keychain: Sendable {
  var items: [Item] = []
  var isLocked = false
  var failure: OSStatus?
  var defaultGroup = "TEAM123456.com.example.app"

  /// What makes an item another one: class, access group, service and account.
  static let primary = [
    kSecClass, kSecAttrAccessGroup, kSecAttrService, kSecAttrAccount, kSecAttrServer,
    kSecAttrSynchronizable,
  ]
  /// What of a query is no attribute.
  static let directions: Set<String> = [
    kSecMatchLimit, kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef,
    kSecUseDataProtectionKeychain, kSecUseAuthenticationUI, kSecUseAuthenticationContext,
    kSecValueData,
  ]

  struct Item: Sendable {
    var attributes: [String: Value]
    var data: Data?
  }

  /// What an attribute can be here.
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
    // An item that isn't said to be synchronized is not.
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
