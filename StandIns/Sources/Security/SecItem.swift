import Foundation

// C functions with pointers are imported as unsafe.

/// Adds an item. An item with the same class, access group, service, account, server and
/// synchronization is a duplicate.
@unsafe public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
)
  -> OSStatus
{
  SimulatedKeychain.state.withLock { keychain in
    guard var new = Keychain.attributes(of: attributes), new[kSecClass] != nil else {
      return errSecParam
    }
    if let refusal = keychain.refusal(toAdd: new) { return refusal }
    new[kSecAttrAccessGroup] = new[kSecAttrAccessGroup] ?? .text(keychain.defaultGroup)
    let key = new.filter { Keychain.primary.contains($0.key) }
    guard keychain.indices(matching: key).isEmpty else { return errSecDuplicateItem }
    keychain.items.append(.init(attributes: new, data: attributes[kSecValueData] as? Data))
    return errSecSuccess
  }
}

public func SecItemUpdate(_ query: CFDictionary, _ changes: CFDictionary) -> OSStatus {
  SimulatedKeychain.state.withLock { keychain in
    guard let wanted = Keychain.attributes(of: query), wanted[kSecClass] != nil else {
      return errSecParam
    }
    if let refusal = keychain.refusal(wanted) { return refusal }
    let found = keychain.visible(matching: wanted)
    guard !found.isEmpty else { return errSecItemNotFound }
    for index in found {
      for (name, value) in changes where name != kSecValueData {
        guard let value = Keychain.Value(value) else { return errSecParam }
        keychain.items[index].attributes[name] = value
      }
      if let data = changes[kSecValueData] as? Data { keychain.items[index].data = data }
    }
    return errSecSuccess
  }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  SimulatedKeychain.state.withLock { keychain in
    guard let wanted = Keychain.attributes(of: query), wanted[kSecClass] != nil else {
      return errSecParam
    }
    if let refusal = keychain.refusal(wanted) { return refusal }
    let found = keychain.visible(matching: wanted)
    guard !found.isEmpty else { return errSecItemNotFound }
    for index in found.reversed() { keychain.items.remove(at: index) }
    return errSecSuccess
  }
}

/// Finds one item, or all with `kSecMatchLimitAll`, and returns the requested parts of each.
@unsafe public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  let (status, items) = SimulatedKeychain.state.withLock {
    keychain -> (OSStatus, [Keychain.Item]) in
    guard let wanted = Keychain.attributes(of: query), wanted[kSecClass] != nil else {
      return (errSecParam, [])
    }
    if let refusal = keychain.refusal(wanted) { return (refusal, []) }
    let found = keychain.visible(matching: wanted).map { keychain.items[$0] }
    return (found.isEmpty ? errSecItemNotFound : errSecSuccess, found)
  }
  guard status == errSecSuccess else { return status }
  let data = query[kSecReturnData] as? Bool ?? false
  let attributes = query[kSecReturnAttributes] as? Bool ?? false
  let answers = items.compactMap { item -> Any? in
    if attributes {
      var all: [String: Any] = item.attributes.mapValues(\.any)
      if data { all[kSecValueData] = item.data }
      return all
    }
    return data ? item.data : nil
  }
  if query[kSecMatchLimit] as? String == kSecMatchLimitAll {
    result?.pointee = answers as AnyObject
  } else {
    result?.pointee = answers.first.map { $0 as AnyObject }
  }
  return errSecSuccess
}
