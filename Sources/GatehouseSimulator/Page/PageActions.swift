import Foundation
import HTTPTypes
import Hummingbird

/// What the buttons of ``OverviewPage`` do: `/simulator/page/…`. Each answers with the page again.
struct PageActions: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.post("stop-using") { request, _ in
      try await act(request) { form, state, now throws(SimulatorError) in
        let person = try state.persons.named(try form.require("person"))
        guard let provider = Provider(rawValue: try form.require("provider")) else {
          throw .invalidRequest("There is no such provider.")
        }
        let client = try form.require("client_id")
        let key = state.consentKey(provider, client: client, person: person.id)
        return try state.stopUsing(key, now: now)
      }
    }
    group.post("delete") { request, _ in
      try await act(request) { form, state, now throws(SimulatorError) in
        try state.deletePerson(try form.require("person"), now: now)
      }
    }
    group.post("relay") { request, _ in
      try await act(request) { form, state, now throws(SimulatorError) in
        let event = try state.setAppleRelay(
          forwards: form["forwards"] == "true", client: try form.require("client_id"),
          person: try form.require("person"), now: now)
        return [event].compactMap(\.self)
      }
    }
    group.post("end-faults") { request, _ in
      try await act(request) { _, state, _ throws(SimulatorError) in
        state.faults.replace(with: Faults())
        return []
      }
    }
    group.post("reset") { request, _ in
      try await act(request) { _, state, _ throws(SimulatorError) in
        state.reset()
        return []
      }
    }
  }

  private func act(
    _ request: Request,
    _ change:
      @Sendable (RequestForm, inout SimulatorState, Date) throws(SimulatorError) ->
      [AppleEvent]
  ) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let now = store.now
    let events = try store.withState { state throws(SimulatorError) in
      try change(form, &state, now)
    }
    _ = try await AppleNotifier(store: store).notify(events)
    return Response(status: .seeOther, headers: [.location: "/"])
  }
}
