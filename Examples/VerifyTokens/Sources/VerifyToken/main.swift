import Foundation
import GatehouseTokens

// Verifies one ID token the way a server does with every request, and says who it is about.

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print(Arguments.usage)
  exit(2)
}

do {
  // The key set: fetched once and kept for as long as the response's Cache-Control allows. When a
  // token is refused with `keyUnknown`, fetch it anew, but not more often than every minute or so.
  let keys = try KeySet(jwks: Array(try bytes(of: arguments.keySetFile)))

  // Issuer, audience and algorithm are yours to say. Nothing of it comes from the token.
  var policy = TokenPolicy(
    issuers: [arguments.issuer], audiences: [arguments.audience], algorithms: [.rs256])
  policy.allowsEventsClaim = true

  let text = String(decoding: try bytes(of: arguments.tokenFile), as: UTF8.self)
  let token = try UnverifiedToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
  let verified = try TokenVerifier(policy: policy).verify(token, keys: keys, now: arguments.now)

  print("user      \(verified.subject)")
  print("provider  \(verified.claims.object("firebase")?.string("sign_in_provider") ?? "unknown")")
  print("until     \(verified.expiresAt)")
} catch let error as TokenError {
  // A code and a sentence: nothing of the token, so it may go to a log.
  print("refused   \(error)")
  exit(1)
} catch {
  print("failed    \(error)")
  exit(2)
}

func bytes(of file: String) throws -> Data {
  try Data(contentsOf: URL(fileURLWithPath: file))
}
