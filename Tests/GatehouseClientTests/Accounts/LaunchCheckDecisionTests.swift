import GatehouseClient
import Testing

@Suite struct LaunchCheckDecisionTests {
  typealias Said = (provider: Provider, state: ProviderCredentialState?)

  @Test(arguments: [ProviderCredentialState.revoked, .notFound])
  func `the only provider is gone`(state: ProviderCredentialState) {
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .gone([.apple]))
  }

  @Test(arguments: [ProviderCredentialState.authorized, nil])
  func `who is alive, or can't be asked, stays`(state: ProviderCredentialState?) {
    #expect(LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .kept)
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .revoked), (.google, state)]) == .kept)
  }

  @Test func `all of several have to be gone`() {
    let all: [Said] = [(.apple, .notFound), (.google, .revoked)]
    #expect(LaunchCheck(isAnonymous: false, standing: all) == .gone([.apple, .google]))
    let password: [Said] = all + [(.password, nil)]
    #expect(LaunchCheck(isAnonymous: false, standing: password) == .kept)
  }

  @Test func `an app that went to another team keeps its people`() {
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .transferred)]) == .keptTransferred)
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .transferred), (.google, .revoked)])
        == .keptTransferred)
  }

  @Test func `an anonymous account stays, and one without providers`() {
    #expect(LaunchCheck(isAnonymous: true, standing: [(.apple, .revoked)]) == .kept)
    #expect(LaunchCheck(isAnonymous: false, standing: []) == .kept)
  }
}
