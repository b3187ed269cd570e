import GatehouseClient
import Testing

@Suite struct LaunchCheckDecisionTests {
  typealias Said = (provider: Provider, state: ProviderCredentialState?)

  @Test(arguments: [ProviderCredentialState.revoked, .notFound])
  func `a revoked only provider signs out`(state: ProviderCredentialState) {
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .gone([.apple]))
  }

  @Test(arguments: [ProviderCredentialState.authorized, nil])
  func `an authorized provider, or one that can't be asked, keeps the user`(
    state: ProviderCredentialState?
  ) {
    #expect(LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .kept)
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .revoked), (.google, state)]) == .kept)
  }

  @Test func `all linked providers have to be revoked`() {
    let all: [Said] = [(.apple, .notFound), (.google, .revoked)]
    #expect(LaunchCheck(isAnonymous: false, standing: all) == .gone([.apple, .google]))
    let password: [Said] = all + [(.password, nil)]
    #expect(LaunchCheck(isAnonymous: false, standing: password) == .kept)
  }

  @Test func `an app that was transferred to another team keeps its users`() {
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
