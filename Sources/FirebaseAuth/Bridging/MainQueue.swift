import Dispatch

/// The main actor's queue: what is handed to it runs there one after the other, in that order.
///
/// A `Task` on the main actor wouldn't promise the order, and listeners are called before the
/// completion handler of what they tell of. Nothing runs while the main thread is blocked: a
/// command-line tool must `await` (or run a run loop) for its handlers to be called.
enum MainQueue {
  static func async(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: body)
  }
}
