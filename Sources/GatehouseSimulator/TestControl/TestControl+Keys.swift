import Foundation
import Hummingbird

private struct RotateKeysBody: RequestBodyMembers {
  static let members: Set<String> = ["provider", "keepOld"]

  var provider: Provider
  /// Absent is true: what a provider does. False is what it does when a key leaks.
  var keepOld: Bool?
}

extension TestControl {
  /// `POST /simulator/rotate-keys`: the provider signs with a new key from now on.
  func rotateKeys(_ request: Request) async throws -> Response {
    let body: RotateKeysBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let keyID = try store.withState { state in
      try state.checkIsThere(body.provider)
      return try state.rotateKeys(of: body.provider, keepOld: body.keepOld ?? true)
    }
    return try .json(["kid": .string(keyID)])
  }
}
