import GatehouseSimulator
import HTTPTypes
import Testing

@Suite struct AllProvidersTests {
  @Test(arguments: ["apple", "google", "facebook", "github", "microsoft", "oidc"])
  func `a provider is listed, and has clients and faults`(name: String) async throws {
    try await withSimulator { client in
      let endpoints = try await client.get("/").json.objects("endpoints")
      let own = endpoints.filter { $0.string("path")?.hasPrefix("/\(name)/") == true }
      #expect(!own.isEmpty)
      let page = try await client.get("/", headers: [.accept: "text/html"])
      #expect(page.text.contains("/\(name)/native-sign-in"))

      let registered = try await client.put(
        "/simulator/clients", json: "{\"provider\":\"\(name)\",\"client_id\":\"c\"}")
      #expect(registered.json.string("provider") == name)

      let faults = "{\"\(name)\":{\"expiredCodes\":true}}"
      #expect(try await client.put("/simulator/faults", json: faults).status == 200)
      let set = try await client.get("/simulator/faults").json
      #expect(set.object(name)?.bool("expiredCodes") == true)
      let path = "{\"endpoints\":[{\"path\":\"/\(name)/native-sign-in\",\"status\":503}]}"
      #expect(try await client.put("/simulator/faults", json: path).status == 200)
      #expect(try await client.post("/\(name)/native-sign-in", json: "{}").status == 503)
      let counts = try await client.get("/simulator/requests").json.object("counts")
      #expect(counts?.integer("/\(name)/native-sign-in") == 1)
    }
  }

  @Test func `the names are listed as running text`() async throws {
    #expect(
      Simulator.providerNames == "Apple, Google, Facebook, GitHub, Microsoft and OpenID Connect")
    try await withSimulator { client in
      let page = try await client.get("/", headers: [.accept: "text/html"])
      #expect(page.text.contains("Simulates \(Simulator.providerNames), at"))
    }
  }

  @Test func `members of one provider's clients are refused for others`() async throws {
    try await withSimulator { client in
      for (member, owner) in [("team_id", "apple"), ("optional_claims", "microsoft")] {
        let refused = try await client.put(
          "/simulator/clients",
          json: "{\"provider\":\"google\",\"client_id\":\"c\",\"\(member)\":\"x\"}")
        #expect(refused.error == "invalid_request")
        #expect(refused.errorDescription == "Only clients of \(owner) have a \"\(member)\".")
      }
    }
  }
}
