import Foundation
import Hummingbird

private struct RotateKeysBody: RequestBodyMembers {
  static let members: Set<String> = ["provider", "keepOld"]

  var provider: Provider
  /// Whether the old key stays published. The default is true, as in a usual rotation; false is for
  /// a leaked key.
  var keepOld: Bool?
}

extension TestControl {
  /// `POST /simulator/rotate-keys`: creates a new key, with which the provider signs from now on.
  func rotateKeys(_ request: Request) async throws -> Response {
    let body: RotateKeysBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let keyID = try store.withState { state in
      try state.checkIsThere(body.provider)
      return try state.rotateKeys(of: body.provider, keepOld: body.keepOld ?? true)
    }
    return try .json(["kid": .string(keyID)])
  }
}
