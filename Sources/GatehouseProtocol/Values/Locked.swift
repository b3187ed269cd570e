import class Foundation.NSLock

/// A value that several threads share, behind a lock.
///
/// It is like the standard library's `Mutex`, which Apple's systems have only since iOS 18.
///
/// The value has a size: give a lock that guards nothing in memory a number, not `()`. ThreadSanitizer would take
/// the object itself for the empty value, and report a race.
///
/// The lock isn't recursive: a call of ``withLock(_:)`` within another one of the same value never
/// returns.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  // `@unchecked`: `lock` guards `value`.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: consuming sending Value) { self.value = value }

  /// Calls `body` with the value while no other thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
