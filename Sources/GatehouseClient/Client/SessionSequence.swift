import GatehouseProtocol

/// Values that change with the session, beginning with the current one.
///
/// Any number of loops may iterate over it, each with its own values. A loop that is slower than
/// the changes gets only the latest value. The iteration ends when the loop's task is cancelled.
public struct SessionSequence<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let client: ClientCore
  private let kinds: SessionChange.Kinds
  private let value: @Sendable (SessionChange) -> Element

  init(
    _ client: ClientCore, of kinds: SessionChange.Kinds,
    _ value: @escaping @Sendable (SessionChange) -> Element
  ) {
    self.client = client
    self.kinds = kinds
    self.value = value
  }

  public func makeAsyncIterator() -> Iterator {
    let stream = AsyncStream(Element.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = client.observe { [kinds, value] change in
        guard !change.kinds.isDisjoint(with: kinds) else { return }
        continuation.yield(value(change))
      }
      continuation.onTermination = { _ in observation.cancel() }
    }
    return Iterator(stream: stream)
  }

  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never
    // Not its iterator, which can be used on an actor only since iOS 18. All iterators of a stream share
    // its values.
    let stream: AsyncStream<Element>

    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      var values = stream.makeAsyncIterator()
      return await values.next()
    }
  }
}
