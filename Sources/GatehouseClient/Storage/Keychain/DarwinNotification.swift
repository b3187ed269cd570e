#if canImport(Security)
  import Foundation
  import GatehouseProtocol
  import Security

  /// A notification without contents for all processes of the device, also for the one that posts it
  /// (Core Foundation, Darwin notification center). Any app may post it: it is only a hint.
  struct DarwinNotification {
    let name: String

    func post() {
      unsafe CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(name as CFString), nil, nil,
        true)
    }

    /// - Parameter notified: Called on the main thread, at once or when the system lets the app run again.
    /// - Returns: Ends the calls.
    func observe(_ notified: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
      let number = Self.observers.withLock { observers in
        observers.last += 1
        observers.calls[observers.last] = notified
        return observers.last
      }
      // A number in place of an object: a call may begin while another thread ends them.
      unsafe CFNotificationCenterAddObserver(
        CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: number),
        { _, observer, _, _, _ in
          let number = UInt(bitPattern: observer)
          DarwinNotification.observers.withLock { $0.calls[number] }?()
        }, name as CFString, nil, .deliverImmediately)
      return { [name] in
        Self.observers.withLock { _ = $0.calls.removeValue(forKey: number) }
        unsafe CFNotificationCenterRemoveObserver(
          CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: number),
          CFNotificationName(name as CFString), nil)
      }
    }

    private struct Observers {
      var last: UInt = 0
      var calls: [UInt: @Sendable () -> Void] = [:]
    }

    private static let observers = Locked(Observers())
  }
#endif
