import Foundation
import GatehouseProtocol

/// Deliver an event to a hook.
package struct DeliveryTask: Sendable {
  package let hook: HookID
  /// The event without its source, which receivers don't get.
  package let event: Event

  package init(hook: HookID, event: Event) {
    self.hook = hook
    self.event = Event(
      id: event.id, project: event.project, kind: event.kind, uid: event.uid, at: event.at,
      actor: event.actor, details: event.details)
  }
}

extension DeliveryTask {
  /// The part of a task's stored form that describes a delivery.
  struct Stored: Codable {
    var hook: String
    var id: String
    var project: String
    var kind: String
    var uid: String?
    /// Milliseconds since 1970.
    var at: Int64
    var actor: String
    var details: [String: String]
  }

  var stored: Stored {
    Stored(
      hook: hook.text, id: event.id.text, project: event.project?.text ?? "",
      kind: event.kind.rawValue, uid: event.uid?.text,
      at: Int64((event.at.timeIntervalSince1970 * 1000).rounded()), actor: event.actor.text,
      details: event.details)
  }

  init?(_ stored: Stored) {
    guard let hook = HookID(stored.hook), let id = EventID(stored.id),
      let kind = EventKind(rawValue: stored.kind), let actor = EventActor(stored.actor)
    else { return nil }
    self.init(
      hook: hook,
      event: Event(
        id: id, project: ProjectID(stored.project), kind: kind,
        uid: stored.uid.flatMap { UID($0) },
        at: Date(timeIntervalSince1970: Double(stored.at) / 1000), actor: actor,
        details: stored.details))
  }
}
