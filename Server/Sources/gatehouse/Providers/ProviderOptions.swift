import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

/// Flags for every provider.
struct ProviderOptions: ParsableArguments {
  @Option(help: "Another client id of the same app. May be repeated; replaces the former ones.")
  var additionalClientID: [String] = []

  @Option(
    help:
      "An audience that tokens may have besides the client ids. May be repeated; replaces former ones."
  )
  var trustedAudience: [String] = []

  @Option(
    name: .customLong("allow-parameter"),
    help: ArgumentHelp(
      "A parameter that apps may add to the authorization request. May be repeated; replaces the "
        + "former ones. Empty for none.", valueName: "name"))
  var allowedParameters: [String] = []

  @Option(
    help: """
      Whether to trust the provider's statement that an email is verified: always, authoritative (if the \
      provider runs the mailbox), never. Default: always for Apple, authoritative for Google (always in \
      --dev), never for the others. Facebook and Microsoft accept only never.
      """)
  var trustEmail: String?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Reject tokens without a nonce. Default: --require-nonce for Apple, except in --dev; \
      --no-require-nonce for the others.
      """)
  var requireNonce: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Keep the provider's refresh tokens, encrypted, to revoke them when an account is deleted. "
        + "The default is to keep Apple's only."))
  var keepRefreshToken: Bool?

  @Option(
    help: ArgumentHelp(
      "Pass Apple's or Google's notifications on to this URL; the other providers send none. Empty for "
        + "none.",
      valueName: "https URL"))
  var forwardNotifications: String?

  @Flag(inversion: .prefixedEnableDisable, help: "Whether users can sign in with the provider.")
  var signIn: Bool?

  func validate() throws {
    if let trustEmail, EmailTrust(rawValue: trustEmail) == nil {
      throw ValidationError("--trust-email \(trustEmail): one of always, authoritative, never")
    }
  }

  /// Without ``signIn``, which some commands set otherwise.
  func apply(to members: inout ProviderMembers) {
    members.set("additionalClientIds", additionalClientID)
    members.set("trustedAudiences", trustedAudience)
    if !allowedParameters.isEmpty {
      members.set(
        "allowedParameters",
        .array(allowedParameters.filter { !$0.isEmpty }.map { .string($0) }))
    }
    members.set("trustEmail", trustEmail)
    members.set("requireNonce", requireNonce)
    members.set("keepRefreshToken", keepRefreshToken)
    members.set("notificationForwardUrl", forwardNotifications)
  }

  /// Reads a secret from a file: on the command line it would be visible in the process list.
  static func secret(in path: String?, _ flag: String) throws -> Secret<String>? {
    guard let path else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandFailure(
        "\(flag) \(path): can't be read; does it exist, and may this user read it?")
    }
    return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
