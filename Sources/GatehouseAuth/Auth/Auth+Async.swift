import Foundation

extension Auth {
  /// The signed-in user, as ``addStateDidChangeListener(_:)`` reports it: first the current user,
  /// then an element for each change of the user.
  ///
  /// Ends when the task that iterates is cancelled. Each iterator has its own listener, and buffers
  /// the users that the task has not read yet.
  public var authStateChanges: AuthStateChangesSequence { AuthStateChangesSequence(self) }

  /// The signed-in user, as ``addIDTokenDidChangeListener(_:)`` reports it: also an element for
  /// each new ID token.
  public var idTokenChanges: IDTokenChangesSequence { IDTokenChangesSequence(self) }
}

extension Auth {
  /// ``Auth/authStateChanges``
  public struct AuthStateChangesSequence: AsyncSequence, Sendable {
    public typealias Element = User?
    public typealias Failure = Never
    public typealias AsyncIterator = Iterator

    private let auth: Auth

    public init(_ auth: Auth) { self.auth = auth }

    public func makeAsyncIterator() -> Iterator {
      Iterator(changes: auth.changes { auth.addStateDidChangeListener($0) })
    }

    public struct Iterator: AsyncIteratorProtocol {
      let changes: AsyncStream<User?>

      /// Nil after the task is cancelled.
      public mutating func next() async -> User?? {
        var changes = changes.makeAsyncIterator()
        return await changes.next()
      }
    }
  }

  /// ``Auth/idTokenChanges``
  public struct IDTokenChangesSequence: AsyncSequence, Sendable {
    public typealias Element = User?
    public typealias Failure = Never
    public typealias AsyncIterator = Iterator

    private let auth: Auth

    public init(_ auth: Auth) { self.auth = auth }

    public func makeAsyncIterator() -> Iterator {
      Iterator(changes: auth.changes { auth.addIDTokenDidChangeListener($0) })
    }

    public struct Iterator: AsyncIteratorProtocol {
      let changes: AsyncStream<User?>

      /// Nil after the task is cancelled.
      public mutating func next() async -> User?? {
        var changes = changes.makeAsyncIterator()
        return await changes.next()
      }
    }
  }
}

extension Auth {
  /// The users that a listener gets. The listener is removed when the iteration ends.
  fileprivate func changes(
    _ listen: (@escaping (Auth, User?) -> Void) -> any NSObjectProtocol
  ) -> AsyncStream<User?> {
    let (stream, continuation) = AsyncStream<User?>.makeStream()
    let handle = Handle(object: listen { _, user in continuation.yield(user) })
    continuation.onTermination = { [weak self] _ in
      self?.removeStateDidChangeListener(handle.object)
    }
    return stream
  }
}

private struct Handle: @unchecked Sendable {  // Only compared.
  let object: any NSObjectProtocol
}
