/// Runs `operation`, then `completion` on the main actor: exactly once, with a value or an error.
///
/// If it is called on the main actor, `completion` is never called before this returns. The caller
/// can't cancel `operation`.
func completing<Value>(
  _ completion: ((Value?, (any Error)?) -> Void)?,
  _ operation: @escaping @Sendable () async throws -> Value
) {
  let handler = Handler(call: completion)
  Task {
    do {
      handler.onMain(.success(try await operation()))
    } catch {
      handler.onMain(.failure(error))
    }
  }
}

/// As above, for an operation without a value.
func completing(
  _ completion: (((any Error)?) -> Void)?,
  _ operation: @escaping @Sendable () async throws -> Void
) {
  completing({ (_: Void?, error: (any Error)?) in completion?(error) }, operation)
}

/// A completion handler on its way to the main actor. Apps pass closures that aren't `Sendable`,
/// because Firebase's API accepts them.
private struct Handler<Value>: @unchecked Sendable {  // Called on the main queue alone, and once.
  let call: ((Value?, (any Error)?) -> Void)?

  func onMain(_ result: Result<Value, any Error>) {
    guard call != nil else { return }
    let parcel = Parcel(result: result)
    MainQueue.async {
      switch parcel.result {
      case .success(let value): call?(value, nil)
      case .failure(let error): call?(nil, error)
      }
    }
  }
}

/// A result on its way to the main actor: the sender keeps no reference to it.
private struct Parcel<Value>: @unchecked Sendable {  // Sent, not shared.
  let result: Result<Value, any Error>
}
