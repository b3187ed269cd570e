import Dispatch

/// The main actor's queue: it runs what it gets one after the other, in that order.
///
/// A `Task` on the main actor would not guarantee the order, and listeners must be called before
/// the completion handler of the same change. Nothing runs while the main thread is blocked: a
/// command-line tool must `await` (or run a run loop) for its handlers to be called.
enum MainQueue {
  static func async(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: body)
  }
}
