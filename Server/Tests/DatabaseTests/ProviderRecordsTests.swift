import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProviderRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a configuration is read with every value and its secrets`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var provider = ProviderConfiguration(id: .apple, clientID: "client", trustEmail: .always)
      provider.isEnabled = true
      provider.displayName = "Apple"
      provider.additionalClientIDs = ["a", "b"]
      provider.trustedAudiences = ["c"]
      provider.clientSecret = Secret("a client secret")
      provider.issuer = "https://id.example.com"
      provider.responseType = .init(code: true, idToken: false)
      provider.discoveryURL = "https://tenant.example.com/.well-known/openid-configuration?p=1"
      provider.scopes = ["account_email", "profile"]
      provider.requiresNonce = true
      provider.isPublicClient = true
      provider.apple = .init(
        bundleIDs: ["com.example.app"], teamID: "TEAM", keyID: "KEY",
        privateKey: Secret("a private key"))
      provider.allowedParameters = ["tenant"]
      provider.keepsRefreshToken = false
      provider.notificationForwardURL = "https://app.example.com/apple"
      provider.clients = [
        ProviderClient(clientID: "phone", bundleIDs: []),
        ProviderClient(
          clientID: "tablet", secret: Secret("a tablet's secret"), bundleIDs: ["com.example.app"]),
      ]
      provider.responseMode = .formPost
      provider.secretPlace = .body
      provider.claimMapping.email = ClaimPath("/profile/mail")
      provider.claimMapping.picture = ClaimPath("photo")
      provider.clientKey = ClientKey(
        privateKey: Secret("a client's key"), keyID: "key-1", algorithm: "PS256",
        audience: .tokenEndpoint)
      // Joined from the registered apps, and not stored with the provider.
      provider.appBundleIDs = ["com.example.app"]
      #expect(valuesLikeNew(in: provider) == [])
      provider.appBundleIDs = []
      // The store that reads a configuration says whose it is.
      provider.project = project
      let saved = provider
      try await store.write { try $0.save(saved, in: project) }
      let found = try await store.read { try $0.provider(.apple, in: project) }
      #expect(contents(found) == contents(Optional(saved)))
      #expect(found?.clientSecret?.reveal() == "a client secret")
      #expect(found?.apple?.privateKey?.reveal() == "a private key")
      #expect(found?.clientKey?.privateKey.reveal() == "a client's key")
      #expect(found?.clients.map { $0.secret?.reveal() } == [nil, "a tablet's secret"])
    }
  }

  /// The properties that a new configuration has with the same value: the test above would not see that
  /// such a one isn't stored.
  private func valuesLikeNew(in provider: ProviderConfiguration) -> [String] {
    let new = ProviderConfiguration(id: .google, clientID: "", trustEmail: .never)
    return zip(Mirror(reflecting: provider).children, Mirror(reflecting: new).children)
      .filter { contents($0.value) == contents($1.value) && $0.label != "project" }
      .compactMap(\.0.label)
  }

  @Test(arguments: StoreFactory.all)
  func `saving replaces every value, also by nil`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var empty = ProviderConfiguration(id: .apple, clientID: "", trustEmail: .never)
      empty.project = project
      let plain = empty
      var full = plain
      full.clientSecret = Secret("a client secret")
      full.apple = .init(bundleIDs: [])
      full.responseMode = .query
      full.allowedParameters = ["tenant"]
      full.discoveryURL = "https://tenant.example.com/"
      full.scopes = ["email"]
      full.keepsRefreshToken = true
      full.clients = [ProviderClient(clientID: "tablet", bundleIDs: [])]
      full.claimMapping.name = ClaimPath("nick")
      full.clientKey = ClientKey(privateKey: Secret("a client's key"))
      let before = full
      try await store.write { transaction in
        try transaction.save(before, in: project)
        try transaction.save(plain, in: project)
      }
      let found = try await store.read { try $0.provider(.apple, in: project) }
      #expect(contents(found) == contents(Optional(plain)))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a key is deleted with its provider`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var provider = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never)
      provider.clientKey = ClientKey(privateKey: Secret("a client's key"))
      let (before, after) = (
        provider, ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never)
      )
      let found = try await store.write { transaction in
        try transaction.save(before, in: project)
        _ = try transaction.deleteProvider(.google, in: project)
        try transaction.save(after, in: project)
        return try transaction.provider(.google, in: project)
      }
      #expect(found?.clientKey == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project's providers are listed in the byte order of their ids`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let lists = try await store.write { transaction in
        for id in ["oidc.b", "apple.com", "oidc.B"] {
          try transaction.save(
            ProviderConfiguration(
              id: try #require(ProviderID(id)), clientID: "client", trustEmail: .never),
            in: first)
        }
        return try [first, second].map { try transaction.providers(in: $0).map(\.id.text) }
      }
      #expect(lists == [["apple.com", "oidc.B", "oidc.b"], []])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `deleting reports whether there was a provider`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let answers = try await store.write { transaction in
        try transaction.save(
          ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never), in: first)
        return [
          try transaction.deleteProvider(.google, in: second),
          try transaction.deleteProvider(.google, in: first),
          try transaction.deleteProvider(.google, in: first),
        ]
      }
      #expect(answers == [false, true, false])
    }
  }
}
