import GatehouseAuth
import Foundation
import Testing

/// A feature that the server doesn't have fails with an error that says so, and never blocks.
@Suite("Features that the server doesn't have", .timeLimit(.minutes(5))) struct NotOfferedTests {
  private func refused(
    _ call: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: AuthErrorCode.operationNotAllowed, sourceLocation: sourceLocation) {
      try await call()
    }
  }

  @Test func `Game Center`() async {
    await refused { _ = try await GameCenterAuthProvider.getCredential() }
    let error = await withCheckedContinuation { continuation in
      GameCenterAuthProvider.getCredential { credential, error in
        #expect(credential == nil)
        continuation.resume(returning: error)
      }
    }
    #expect((error as? AuthErrorCode)?.code == .operationNotAllowed)
    #expect((error as NSError?)?.localizedFailureReason?.contains("Game Center") == true)
  }
}
