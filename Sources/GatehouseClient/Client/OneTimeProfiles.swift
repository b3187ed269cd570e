import Foundation
import GatehouseProtocol

/// Ensures that data that a provider sends only once reaches the server. The data is stored before
/// the request that contains it, and sent with each later sign-in of the user until the server has
/// accepted it.
///
/// Works across restarts, and for all processes with the same store. Keeps the data of at most
/// eight users, each for ninety days. A list that can't be read is dropped, so that it doesn't stop
/// a sign-in.
package struct OneTimeProfiles: Sendable {
  private let store: any SessionStore
  private let key: String
  private let clock: any ClientClock

  /// - Parameter key: The key of the list in `store`: one for each project.
  package init(store: any SessionStore, key: String, clock: any ClientClock) {
    self.store = store
    self.key = key
    self.clock = clock
  }

  /// Stores the user's name and email address in `credential`. Call it before the credential is
  /// sent.
  ///
  /// Does nothing for a credential without an ID token, such as a pending token, which contains the
  /// name.
  /// - Returns: The credential to send, completed with the stored name and address.
  package func prepare(_ credential: IdentityProviderCredential) throws(StoreFault)
    -> IdentityProviderCredential
  {
    guard let subject = credential.idToken.flatMap({ UnverifiedPayload($0)?.subject }) else {
      return credential
    }
    var prepared = credential
    let told = credential.told
    let now = clock.now
    // Takes no lock if there is nothing to write, which is the usual case.
    if told == nil, try list().profiles.isEmpty { return credential }
    try update { list in
      list.dropOld(at: now)
      if let told {
        list.keep(
          OneTimeProfile(
            provider: credential.provider, subject: subject,
            fullName: told.name
              ?? list.profile(
                of: subject, at: credential.provider)?.fullName,
            email: told.email, keptAt: now))
      }
      guard let kept = list.profile(of: subject, at: credential.provider) else { return }
      prepared.fullName = kept.fullName ?? prepared.fullName
      prepared.email = kept.email ?? prepared.email
    }
    return prepared
  }

  /// Removes the stored data about the user, because the server has accepted the credential and its
  /// data.
  ///
  /// - Parameters:
  ///   - credential: As ``prepare(_:)`` returned it.
  ///   - subject: The subject in the server's response; needed for a credential without an ID
  ///     token.
  package func acknowledge(_ credential: IdentityProviderCredential, subject: String? = nil)
    throws(StoreFault)
  {
    guard let subject = subject ?? credential.idToken.flatMap({ UnverifiedPayload($0)?.subject }),
      let kept = try list().profile(of: subject, at: credential.provider)
    else { return }
    // Another process may have stored more meanwhile.
    guard credential.pendingToken != nil || kept.fullName == credential.fullName else { return }
    try update { list in
      if list.profile(of: subject, at: credential.provider) == kept {
        list.remove(subject, at: credential.provider)
      }
    }
  }

  /// Called when the account is deleted: removes everything about the user.
  package func forget(_ subject: String, at provider: Provider) throws(StoreFault) {
    if try list().profile(of: subject, at: provider) == nil { return }
    try update { $0.remove(subject, at: provider) }
  }

  private func list() throws(StoreFault) -> OneTimeProfileList {
    do {
      return try store.read(key).map { data throws(StoreFault) in
        try OneTimeProfileList(data)
      } ?? OneTimeProfileList()
    } catch  where error.kind == .damaged || error.kind == .unreadable {
      try store.remove(key)
      return OneTimeProfileList()
    }
  }

  private func update(_ change: (inout OneTimeProfileList) -> Void) throws(StoreFault) {
    func once() throws(StoreFault) {
      _ = try store.update(key) { data throws(StoreFault) in
        var list = OneTimeProfileList()
        if let data { list = try OneTimeProfileList(data) }
        change(&list)
        return try list.data()
      }
    }
    do {
      try once()
    } catch  where error.kind == .damaged || error.kind == .unreadable {
      try store.remove(key)
      try once()
    }
  }
}

extension IdentityProviderCredential {
  /// The user's name and email address in the credential; nil if there is nothing to keep. What the
  /// server would drop because of its length isn't kept.
  fileprivate var told: (name: PersonName?, email: String?)? {
    func bounded(_ text: String?, bytes: Int) -> String? {
      guard let text, (1...bytes).contains(text.utf8.count) else { return nil }
      return text
    }
    let name = PersonName(
      givenName: bounded(fullName?.givenName, bytes: UserName.maximumPartBytes),
      familyName: bounded(fullName?.familyName, bytes: UserName.maximumPartBytes))
    let email = bounded(email, bytes: EmailAddress.maximumBytes)
    return name.isEmpty && email == nil ? nil : (name.isEmpty ? nil : name, email)
  }
}
