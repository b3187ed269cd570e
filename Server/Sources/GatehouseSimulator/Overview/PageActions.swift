import Foundation
import HTTPTypes
import Hummingbird

/// The actions of the buttons on ``OverviewPage``: `/simulator/page/…`. Each returns to the page: see
/// ``SimulatorStore/act(_:_:)``. Actions of one kind of provider are in its folder.
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
    group.post("delete") { request, _ in
      try await store.act(request) { form in
        let ended = try store.withState { state throws(SimulatorError) in
          try state.deletePerson(try form.require("person"))
        }
        _ = try await store.tellEnded(ended, accountIsGone: true)
      }
    }
    group.post("end-faults") { request, _ in
      try await store.act(request) { _ in store.withState { $0.faults.replace(with: Faults()) } }
    }
    group.post("reset") { request, _ in
      try await store.act(request) { _ in store.withState { $0.reset() } }
    }
  }
}
