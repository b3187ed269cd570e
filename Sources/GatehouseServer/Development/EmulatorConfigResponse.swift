import GatehouseJSON
import GatehouseWire

/// The emulator's own `config`: the two settings that tests change.
struct EmulatorConfigResponse: WireResponse {
  var allowDuplicateEmails: Bool
  var enableImprovedEmailPrivacy: Bool

  init(allowDuplicateEmails: Bool, enableImprovedEmailPrivacy: Bool) {
    self.allowDuplicateEmails = allowDuplicateEmails
    self.enableImprovedEmailPrivacy = enableImprovedEmailPrivacy
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.object("signIn") { $0.member("allowDuplicateEmails", allowDuplicateEmails) }
    writer.object("emailPrivacyConfig") {
      $0.member("enableImprovedEmailPrivacy", enableImprovedEmailPrivacy)
    }
  }
}
