import Foundation

/// An event that a provider reports to a client's server in a signed token (RFC 8417).
protocol ReportedEvent: Sendable {
  static var provider: Provider { get }

  /// The only status with which the provider treats a notification as delivered.
  static var acceptedStatus: Int { get }

  /// The `Content-Type` of the notification.
  static var contentType: String { get }

  /// The body of the notification that carries `token`.
  static func body(_ token: String) throws -> Data

  /// The client whose server is notified: see ``RegisteredClient/notificationURL``.
  var clientID: String { get }

  func claims() throws -> [String: JSONValue]

  /// The event's type, as test control and the overview name it.
  var type: String { get }

  /// The provider's id for the person; nil for an event that is about no person.
  var subject: String? { get }

  /// Members of its description that only this kind of event has.
  var details: [String: JSONValue] { get }
}

extension ReportedEvent {
  var details: [String: JSONValue] { [:] }
}

/// The state of a provider that notifies its clients' servers.
protocol ReportingState: ProviderState {
  associatedtype Event: ReportedEvent

  var notifications: Deliveries<Event> { get set }
}
