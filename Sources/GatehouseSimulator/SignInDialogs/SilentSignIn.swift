import Foundation
import HTTPTypes

extension SimulatorState {
  /// Who signs in without seeing a page (`prompt=none`, OpenID Connect Core §3.1.2.1): who clicked
  /// last at this provider, for the client that they agreed with.
  ///
  /// - Throws: `login_required` if nobody did, somebody other than `login_hint`, or longer ago than
  ///   `max_age`; `consent_required` if they haven't allowed the client all of what it asks for
  ///   (§3.1.2.6).
  func silentSignIn(_ request: DialogRequest, now: Date) throws(SimulatorError) -> LastSignIn {
    guard let last = lastSignIns[request.provider], let person = persons[last.personID] else {
      throw Self.loginRequired("Nobody is signed in.")
    }
    if let hint = request.form.filled("login_hint") {
      guard let hinted = try? persons.named(hint), hinted.id.isSame(as: person.id) else {
        throw Self.loginRequired("Somebody else is signed in.")
      }
    }
    if let age = request.form.filled("max_age") {
      guard let age = Int(age), age >= 0 else {
        throw .invalidRequest("max_age must be a number of seconds.")
      }
      guard now.timeIntervalSince(last.at) <= Double(age) else {
        throw Self.loginRequired("The person signed in longer ago than max_age.")
      }
    }
    guard !offer(request, to: person).asksForConsent else {
      throw SimulatorError(
        .badRequest, "consent_required", "The person has not agreed to this yet.")
    }
    return last
  }

  private static func loginRequired(_ message: String) -> SimulatorError {
    SimulatorError(.badRequest, "login_required", message)
  }
}
