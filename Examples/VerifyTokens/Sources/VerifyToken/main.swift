import Foundation
import GatehouseTokens
import GatehouseVerifier

// Verifies one ID token, as a back end does with every request, and shows its user.

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print(Arguments.usage)
  exit(2)
}

do {
  let text = String(
    decoding: try Data(contentsOf: URL(fileURLWithPath: arguments.tokenFile)), as: UTF8.self
  ).trimmingCharacters(in: .whitespacesAndNewlines)

  switch arguments.keys {
  case .developmentServer(let url):
    // What a back end does: the verifier fetches the keys, caches them, and refreshes them.
    let verifier = IDTokenVerifier(
      try .development(serverURL: url, projectID: arguments.audience))
    let user = try await verifier.verify(text)
    show(user.uid, user.signInProvider, user.expiresAt)

  case .file(let file, let issuer):
    // What the verifier does with its keys. You set the issuer, the audience and the algorithms:
    // none of them is taken from the token.
    let keys = try KeySet(jwks: Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    var policy = TokenPolicy(
      issuers: [issuer], audiences: [arguments.audience], algorithms: [.rs256, .es256])
    policy.allowsEventsClaim = true
    policy.maximumSubjectBytes = 256
    let verified = try TokenVerifier(policy: policy)
      .verify(try UnverifiedToken(text), keys: keys, now: arguments.now)
    let provider = verified.claims.object("firebase")?.string("sign_in_provider")
    show(verified.subject, provider ?? "unknown", verified.expiresAt)
  }
} catch let error as TokenError {
  // A code and a sentence, without any part of the token, so it is safe to log.
  print("refused   \(error)")
  exit(1)
} catch let error as VerificationError {
  print("refused   \(error)")
  exit(1)
} catch {
  print("failed    \(error)")
  exit(2)
}

func show(_ uid: String, _ provider: String, _ expiresAt: Date) {
  print("user      \(uid)")
  print("provider  \(provider)")
  print("until     \(expiresAt)")
}
