import Foundation
import HTTPTypes

extension SimulatorState {
  /// An event as a test requests it, which need not have happened.
  ///
  /// - Parameters:
  ///   - person: An id or email; nil for the first person.
  ///   - state: Only for a verification; nil for a random one.
  /// - Throws: `person_not_found`; `token_not_found` if the app has no refresh token of the person;
  ///   `invalid_request` if a given value doesn't belong to this kind of event.
  func googleEvent(
    _ kind: GoogleEvent.Kind, client: String, person: String?, reason: GoogleEvent.Reason?,
    state: String?, now: Date
  ) throws(SimulatorError) -> GoogleEvent {
    guard reason == nil || kind == .accountDisabled else {
      throw .invalidRequest("Only account-disabled has a \"reason\".")
    }
    guard state == nil || kind == .verification else {
      throw .invalidRequest("Only verification has a \"state\".")
    }
    guard person == nil || kind != .verification else {
      throw .invalidRequest("A verification is about no person.")
    }
    let target: GoogleEvent.Target
    switch kind {
    case .verification: target = .connection(state: state ?? RandomToken.base64(bytes: 12))
    case .tokenRevoked:
      target = .refreshToken(try googleRefreshToken(client, of: persons.named(person)))
    default: target = .account(GoogleClaims.subject(of: try persons.named(person)))
    }
    return GoogleEvent(
      kind: kind, clientID: client, audience: googleAudience(client), target: target,
      reason: reason, time: now)
  }

  /// The event for a consent that ended; nil if Google reports nothing: it reports only to
  /// registered receivers, and only about persons who gave access to their profile or address.
  func googleEvent(_ kind: GoogleEvent.Kind, _ key: ConsentKey, now: Date) -> GoogleEvent? {
    let client = key.client.text
    guard clients[.google, client]?.notificationURL != nil, let consent = consents[key],
      !consent.scopes.isDisjoint(with: [.email, .profile])
    else { return nil }
    return GoogleEvent(
      kind: kind, clientID: client, audience: googleAudience(client),
      target: .account(GoogleClaims.subject(ofPerson: key.person.text)), reason: nil, time: now)
  }

  /// A receiver belongs to all clients of a Cloud project. Here those are the clients that are
  /// registered with the same URL.
  private func googleAudience(_ client: String) -> [String] {
    guard let url = clients[.google, client]?.notificationURL else { return [client] }
    let others = clients.all.filter {
      $0.provider == .google && !$0.clientID.isSame(as: client)
        && $0.notificationURL?.isSame(as: url) == true
    }
    return [client] + others.map(\.clientID)
  }

  /// The latest refresh token that the app got for the person.
  private func googleRefreshToken(
    _ client: String, of person: Person
  ) throws(SimulatorError) -> String {
    let own = tokens.keys.compactMap { name in tokens[name].map { (name, $0) } }.filter {
      _, issued in
      issued.kind == .refresh && issued.grant.provider == .google
        && issued.grant.clientID.isSame(as: client) && issued.grant.personID.isSame(as: person.id)
    }
    guard let latest = own.max(by: { $0.1.issuedAt < $1.1.issuedAt }) else {
      throw SimulatorError(
        .notFound, "token_not_found", "The client has no refresh token of this person.")
    }
    return latest.0.text
  }
}
