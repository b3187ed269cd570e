import Dispatch
import Foundation
import Synchronization

// Core Foundation's center for notifications between processes. Here all of them are in this process.

public final class CFNotificationCenter: Sendable {
  fileprivate static let darwin = CFNotificationCenter()

  fileprivate struct Observer: Sendable {
    var number: UInt
    var name: String
    // C's functions have no captures.
    nonisolated(unsafe) var call: CFNotificationCallback
  }

  fileprivate let observers = Mutex<[Observer]>([])
}

public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
  public let rawValue: CFString
  public init(rawValue: CFString) { self.rawValue = rawValue }
  public init(_ rawValue: CFString) { self.rawValue = rawValue }
}

public enum CFNotificationSuspensionBehavior: Sendable { case deliverImmediately }

/// A C function on Apple's platforms.
public typealias CFNotificationCallback = (
  CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?,
  CFDictionary?
) -> Void

public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

@unsafe public func CFNotificationCenterAddObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!,
  _ callBack: CFNotificationCallback!, _ name: CFString!, _ object: UnsafeRawPointer!,
  _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
  let new = CFNotificationCenter.Observer(
    number: UInt(bitPattern: observer), name: name, call: callBack)
  center.observers.withLock { $0.append(new) }
}

@unsafe public func CFNotificationCenterRemoveObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
  _ object: UnsafeRawPointer!
) {
  let number = UInt(bitPattern: observer)
  center.observers.withLock { observers in
    observers.removeAll { $0.number == number && $0.name == name.rawValue }
  }
}

/// Calls the observers on the main thread, as the real center does.
@unsafe public func CFNotificationCenterPostNotification(
  _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
  _ userInfo: CFDictionary!, _ deliverImmediately: Bool
) {
  let center: CFNotificationCenter = center
  let name: CFNotificationName = name
  DispatchQueue.main.async {
    for observer in center.observers.withLock({ $0 }) where observer.name == name.rawValue {
      observer.call(
        center, UnsafeMutableRawPointer(bitPattern: observer.number), name, nil, nil)
    }
  }
}
