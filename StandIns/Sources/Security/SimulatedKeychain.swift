import Foundation
import Synchronization

/// The device's keychain, in memory, with the controls for tests.
public enum SimulatedKeychain {
  /// What the keychain does because the device is locked.
  public enum Lock: Sendable {
    case unlocked
    /// Unlocked once since the start, but not now: items that need an unlocked device can't be added.
    case screen
    /// Not unlocked since the start: every call fails with `errSecInteractionNotAllowed`.
    case refusing
    /// As iOS also does then: items aren't found, and can't be added.
    case hiding
  }

  /// How the keychain answers the queries of a service.
  public struct Conditions: Sendable {
    public var lock = Lock.unlocked
    /// The access groups of the app's entitlements. Nil: the app is entitled to every group. An empty set: to
    /// none, so that every call of the data protection keychain fails with `errSecMissingEntitlement`, as on
    /// macOS without the capability Keychain Sharing.
    public var entitledGroups: Set<String>?
    /// The error with which every call fails. Nil for none.
    public var failure: OSStatus?
  }

  /// The conditions for the services whose name contains `part`. Tests run at the same time, so there are none for
  /// the whole keychain.
  public static subscript(part: String) -> Conditions {
    get { state.withLock { $0.conditions[part] ?? Conditions() } }
    set { state.withLock { $0.conditions[part] = newValue } }
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
  var conditions: [String: SimulatedKeychain.Conditions] = [:]
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

  private func conditions(of attributes: [String: Value]) -> SimulatedKeychain.Conditions {
    guard case .text(let service)? = attributes[kSecAttrService] else { return .init() }
    return conditions.first { service.contains($0.key) }?.value ?? .init()
  }

  /// The answer to every query of these attributes; nil if it depends on the items.
  func refusal(_ attributes: [String: Value]) -> OSStatus? {
    let conditions = conditions(of: attributes)
    if let failure = conditions.failure { return failure }
    if conditions.entitledGroups == [] { return errSecMissingEntitlement }
    return conditions.lock == .refusing ? errSecInteractionNotAllowed : nil
  }

  /// Only the addition of an item says that the app isn't entitled to the item's group.
  func refusal(toAdd item: [String: Value]) -> OSStatus? {
    if let refusal = refusal(item) { return refusal }
    let conditions = conditions(of: item)
    if let groups = conditions.entitledGroups, case .text(let group)? = item[kSecAttrAccessGroup],
      !groups.contains(group)
    {
      return errSecMissingEntitlement
    }
    let needsUnlocked =
      item[kSecAttrAccessible] == .text(kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
      || item[kSecAttrAccessible] == .text(kSecAttrAccessibleWhenUnlocked)
    switch conditions.lock {
    case .unlocked: return nil
    case .screen: return needsUnlocked ? errSecInteractionNotAllowed : nil
    case .refusing, .hiding: return errSecInteractionNotAllowed
    }
  }

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

  /// The items that a query finds.
  func visible(matching attributes: [String: Value]) -> [Int] {
    let conditions = conditions(of: attributes)
    guard conditions.lock != .hiding else { return [] }
    return indices(matching: attributes).filter { index in
      guard let groups = conditions.entitledGroups,
        case .text(let group)? = items[index].attributes[kSecAttrAccessGroup]
      else { return true }
      return groups.contains(group)
    }
  }

  func indices(matching attributes: [String: Value]) -> [Int] {
    items.indices.filter { index in
      attributes.allSatisfy { items[index].attributes[$0] == $1 }
    }
  }
}
