import GatehouseAccounts
import GatehouseFederation
import GatehouseTokens

/// Reads the response of a blocking function.
package enum BlockingFunctionFuzz {
  /// - Parameter bytes: The first byte chooses the trigger and the status; the others are the body.
  package static func read(_ bytes: [UInt8]) {
    let choice = bytes.first ?? 0
    let response = OutboundResponse(
      status: choice & 2 == 0 ? 200 : 403, body: Array(bytes.dropFirst()))
    let outcome = try? BlockingFunctionAnswer.outcome(
      of: response, to: choice & 1 == 0 ? .beforeCreate : .beforeSignIn)
    guard case .allowed(let changes) = outcome else { return }
    // The limits of an account hold, whatever the function answers.
    if case .set(let name) = changes.displayName {
      precondition(name.utf16.count <= ProfileBounds.maximumNameUnits)
    }
    if case .set(let claims) = changes.customClaims {
      precondition(claims.jsonText.utf16.count <= CustomClaims.greatestLength)
    }
  }
}
