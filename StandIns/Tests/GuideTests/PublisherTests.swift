import Combine
import FirebaseAuth
import FirebaseAuthCombineSwift
import Testing

extension Guides {
  /// The publishers of FirebaseAuthCombineSwift.
  @Suite @MainActor struct PublisherTests {
    @Test func `a future signs in, and the state's publisher reports the user`() async throws {
      _ = try await Device.unpacked()
      let auth = Auth.auth()
      let before = auth.listenerCount
      var uids: [String?] = []
      let states = auth.authStateDidChangePublisher().sink { uids.append($0?.uid) }
      try await eventually { uids == [nil] }
      var result: AuthDataResult?
      let future: Future<AuthDataResult, any Error> = auth.signInAnonymously()
      let signIn = future.sink(receiveCompletion: { _ in }, receiveValue: { result = $0 })
      try await eventually { result != nil }
      #expect(uids == [nil, result?.user.uid])
      #expect(auth.listenerCount == before + 1)
      states.cancel()
      #expect(auth.listenerCount == before)
      signIn.cancel()
    }

    @Test func `a future fails with the error of the call`() async throws {
      _ = try await Device.unpacked()
      var code: AuthErrorCode?
      let future: Future<AuthDataResult, any Error> = Auth.auth().signIn(
        withCustomToken: "no token")
      let signIn = future.sink(
        receiveCompletion: {
          if case .failure(let error) = $0 { code = error as? AuthErrorCode }
        }, receiveValue: { _ in })
      try await eventually { code != nil }
      #expect(code == .invalidCustomToken)
      signIn.cancel()
    }
  }
}
