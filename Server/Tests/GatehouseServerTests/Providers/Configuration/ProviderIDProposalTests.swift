import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct ProviderIDProposalTests {
  @Test(
    arguments: [
      ("Acme Corp", "oidc.acme-corp"),
      ("  Acme   Corp!  ", "oidc.acme-corp"),
      ("Zo\u{eb} & Co.", "oidc.zoe-co"),
      ("Zoe\u{308} & Co.", "oidc.zoe-co"),
      ("\u{FF21}\u{FF43}\u{FF4D}\u{FF45}", "oidc.acme"),
      ("3M", "oidc.idp-3m"),
      ("a_b.c", "oidc.a-b-c"),
      ("x", "oidc.x"),
      (String(repeating: "long ", count: 20), "oidc.long-long-long-long-long-long-lo"),
      (String(repeating: "abcdefg ", count: 9), "oidc.abcdefg-abcdefg-abcdefg-abcdefg"),
    ])
  func `an id is proposed for a provider's display name`(
    _ displayName: String, _ proposed: String
  ) {
    let id = ProviderID.proposal(for: displayName)
    #expect(id?.text == proposed)
    #expect(id?.isValidOpenIDConnectName == true)
  }

  @Test(arguments: ["", "---", "\u{65E5}\u{672C}", "\u{1F511}", "\u{0}"])
  func `no id is proposed for a name without Latin letters and digits`(_ displayName: String) {
    #expect(ProviderID.proposal(for: displayName) == nil)
  }
}
