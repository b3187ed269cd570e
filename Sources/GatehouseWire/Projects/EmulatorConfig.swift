public import GatehouseJSON

/// The emulator's own `config`: the two settings that tests change.
public struct EmulatorConfigResponse: WireResponse {
  public var allowDuplicateEmails: Bool
  public var enableImprovedEmailPrivacy: Bool

  public init(allowDuplicateEmails: Bool, enableImprovedEmailPrivacy: Bool) {
    self.allowDuplicateEmails = allowDuplicateEmails
    self.enableImprovedEmailPrivacy = enableImprovedEmailPrivacy
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("signIn") { $0.member("allowDuplicateEmails", allowDuplicateEmails) }
    writer.object("emailPrivacyConfig") {
      $0.member("enableImprovedEmailPrivacy", enableImprovedEmailPrivacy)
    }
  }
}
