import Dispatch

/// The main actor's queue: it runs its blocks one at a time, in the order in which they were added.
///
/// A `Task` on the main actor would not guarantee this order, and listeners must be called before
/// the completion handler of the same change. Nothing runs while the main thread is blocked: in a
/// command-line tool, handlers are called only while the main thread waits in `await` or runs a run
/// loop.
enum MainQueue {
  static func async(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: body)
  }
}
