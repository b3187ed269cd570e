/// A value or an error that arrives once, for subscribers before and after.
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void

  private var result: Result<Output, Failure>?
  private let listeners = Listeners<Result<Output, Failure>>()

  public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    attemptToFulfill { [self] result in
      guard self.result == nil else { return }
      self.result = result
      listeners.send(result)
    }
  }

  public func attach(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receive)
  }

  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    func receive(_ result: Result<Output, Failure>) {
      switch result {
      case .success(let value):
        receiveValue(value)
        receiveCompletion(.finished)
      case .failure(let error): receiveCompletion(.failure(error))
      }
    }
    if let result {
      receive(result)
      return AnyCancellable {}
    }
    return listeners.add(receive)
  }
}

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private let listeners = Listeners<Output>()

  public init() {}
  public func attach(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    listeners.add(receive)
  }
  public func send(_ input: Output) { listeners.send(input) }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  let begin: (@escaping (Output) -> Void) -> AnyCancellable

  public func attach(_ receive: @escaping (Output) -> Void) -> AnyCancellable { begin(receive) }
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { self.attach($0) }
  }

  public func handleEvents(receiveCancel: @escaping () -> Void) -> AnyPublisher<Output, Failure> {
    AnyPublisher { receive in
      let inner = self.attach(receive)
      return AnyCancellable {
        inner.cancel()
        receiveCancel()
      }
    }
  }
}
