import Dispatch
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct AppActivityTests {
  private let notifications = NotificationCenter()
  private let count = Locked(0)

  private func listen() -> SessionObservation? {
    count.withLock { $0 += 1 }
    return SessionObservation {}
  }

  private func becomeActive() {
    notifications.post(
      name: NSNotification.Name("UIApplicationDidBecomeActiveNotification"), object: nil)
  }

  private func mainQueueIsEmpty() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test(arguments: [true, false])
  func `an app extension never listens`(isExtension: Bool) async {
    let activity = AppActivity(
      isExtension: isExtension, isInBackground: nil, notifications: notifications, listen)
    becomeActive()
    #expect(count.withLock { $0 } == (isExtension ? 0 : 1))
    withExtendedLifetime(activity) {}
  }

  @Test(arguments: [true, false])
  func `an app that the system launched in the background listens when it becomes active`(
    isInBackground: Bool
  ) async {
    let activity = AppActivity(
      isInBackground: { isInBackground }, notifications: notifications, listen)
    await mainQueueIsEmpty()
    #expect(count.withLock { $0 } == (isInBackground ? 0 : 1))
    becomeActive()
    #expect(count.withLock { $0 } == 1)
    withExtendedLifetime(activity) {}
  }
}
