import Foundation
import HTTPTypes
import Hummingbird

/// The actions of the forms on ``OverviewPage``: `/simulator/page/…`. Each returns to the page: see
/// `act`. Actions of one kind of provider are in its folder.
struct PageActions: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.post("stop-using") { request, _ in
      try await store.act(request) { form in
        let key = try store.withState { state throws(SimulatorError) in
          let person = try state.persons.named(try form.require("person"))
          guard let provider = Provider(rawValue: try form.require("provider")) else {
            throw .invalidRequest("Provider not found.")
          }
          let client = try form.require("client_id")
          let key = state.consentKey(provider, client: client, person: person.id)
          try state.withdrawConsent(key)
          return key
        }
        _ = try await store.tellEnded([key], accountIsGone: false)
      }
    }
    group.post("create") { request, _ in
      try await store.act(request, section: "persons") { form in
        try store.withState { state throws(SimulatorError) in
          let email = try form.require("email")
          var input = PersonInput(
            id: state.freeID(email: email), email: email, givenName: form.filled("given_name"),
            familyName: form.filled("family_name"))
          input.emailVerified = form["email_verified"] != nil
          input.hidesEmail = form["hides_email"] != nil
          try state.persons.put(try input.person())
        }
      }
    }
    group.post("delete") { request, _ in
      try await store.act(request, section: "persons") { form in
        let ended = try store.withState { state throws(SimulatorError) in
          try state.deletePerson(try form.require("person"))
        }
        _ = try await store.tellEnded(ended, accountIsGone: true)
      }
    }
    group.post("clear-requests") { request, _ in
      try await store.act(request, section: "requests") { _ in
        store.withState { $0.requests = RequestLog() }
      }
    }
    addFaults(to: group)
    group.post("reset") { request, _ in
      try await store.act(request) { _ in store.withState { $0.reset() } }
    }
  }

  private func addFaults(to group: RouterGroup<SimulatorContext>) {
    group.post("fault") { request, _ in
      try await store.act(request, section: "faults") { form in
        let name = try form.require("fault")
        guard let choice = FaultChoice.all.first(where: { $0.name.isSame(as: name) }) else {
          throw SimulatorError.invalidRequest("The fault is unknown.")
        }
        try change(choice.member, of: try form.require("provider")) { choice.added(to: $0) }
      }
    }
    group.post("end-fault") { request, _ in
      try await store.act(request, section: "faults") { form in
        try change(try form.require("member"), of: try form.require("provider")) { _ in nil }
      }
    }
    group.post("endpoint-fault") { request, _ in
      try await store.act(request, section: "faults") { form in
        guard let effect = EndpointEffect(rawValue: try form.require("effect")) else {
          throw SimulatorError.invalidRequest("The response is unknown.")
        }
        let fault = effect.fault(
          path: try form.require("path"), count: form["once"] == nil ? nil : 1)
        try store.withState { state throws(SimulatorError) in try state.faults.put(fault) }
      }
    }
    group.post("end-endpoint-fault") { request, _ in
      try await store.act(request, section: "faults") { form in
        let path = try form.require("path")
        store.withState { $0.faults.end(path: path) }
      }
    }
    group.post("faults") { request, _ in
      try await store.act(request, section: "faults") { form in
        let json = Data(try form.require("json").utf8)
        let faults = try JSONDecoder.decode(json, as: FaultsBody.self).faults()
        store.withState { $0.faults.replace(with: faults) }
      }
    }
    group.post("end-faults") { request, _ in
      try await store.act(request, section: "faults") { _ in
        store.withState { $0.faults.replace(with: Faults()) }
      }
    }
  }

  /// Changes one member of a provider's faults. The others stay.
  private func change(
    _ member: String, of providerName: String, _ value: @Sendable (JSONValue?) -> JSONValue?
  ) throws {
    guard let provider = Provider.builtIn.first(where: { $0.rawValue.isSame(as: providerName) })
    else { throw SimulatorError.invalidRequest("Provider not found.") }
    try store.withState { state in
      var members = try state.faults.tokens[provider]?.asMembers() ?? [:]
      members[member] = value(members[member])
      state.faults.tokens[provider] =
        members.isEmpty
        ? nil : try JSONDecoder.decode(try JSONValue.object(members).data(), as: TokenFaults.self)
    }
  }
}
