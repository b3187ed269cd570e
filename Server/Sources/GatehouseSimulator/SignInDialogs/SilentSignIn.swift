import Foundation
import HTTPTypes

extension SimulatorState {
  /// The person who signs in without a page (`prompt=none`, OpenID Connect Core §3.1.2.1): the last
  /// one who signed in on a page of this provider, with a consent for the client.
  ///
  /// - Throws: `login_required` if there is no such person, if `login_hint` names another person,
  ///   or if that sign-in is older than `max_age`; `consent_required` if the client requests more
  ///   than the person allowed (§3.1.2.6).
  func silentSignIn(_ request: DialogRequest, now: Date) throws(SimulatorError) -> LastSignIn {
    guard let last = lastSignIns[request.provider], let person = persons[last.personID] else {
      throw Self.loginRequired("No person is signed in.")
    }
    if let hint = request.form.filled("login_hint") {
      guard let hinted = try? persons.named(hint), hinted.id.isSame(as: person.id) else {
        throw Self.loginRequired("Another person is signed in.")
      }
    }
    if let age = request.form.filled("max_age") {
      guard let age = Int(age), age >= 0 else {
        throw .invalidRequest("max_age must be a number of seconds.")
      }
      guard now.timeIntervalSince(last.at) <= Double(age) else {
        throw Self.loginRequired("The person signed in more than max_age seconds ago.")
      }
    }
    guard !offer(request, to: person).asksForConsent else {
      throw SimulatorError(
        .badRequest, "consent_required", "The person has not consented to this.")
    }
    return last
  }

  private static func loginRequired(_ message: String) -> SimulatorError {
    SimulatorError(.badRequest, "login_required", message)
  }
}
