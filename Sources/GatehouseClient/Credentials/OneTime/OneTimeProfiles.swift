import Foundation

/// Sees to it that what a provider tells only once reaches the server: it is in the store before the
/// request that carries it, and goes along with each further one until the server has answered.
///
/// For any process with the same store, and across restarts. At most eight people, each for ninety
/// days. A list that can't be read any more is dropped rather than in the way of a sign-in.
package struct OneTimeProfiles: Sendable {
  private let store: any SessionStore
  private let key: String
  private let clock: any ClientClock

  /// - Parameter key: Of the list in `store`: one for each project.
  package init(store: any SessionStore, key: String, clock: any ClientClock) {
    self.store = store
    self.key = key
    self.clock = clock
  }

  /// Keeps what `credential` tells of the person; call before it is sent.
  ///
  /// Does nothing to a credential without an ID token (a pending token's identity has the name in
  /// it), and reads nothing of what isn't there.
  /// - Returns: The credential to send: with what was kept of the person, where it tells nothing.
  package func prepare(_ credential: IdentityProviderCredential) throws(StoreFault)
    -> IdentityProviderCredential
  {
    guard let subject = credential.idToken.flatMap({ UnverifiedPayload($0)?.subject }) else {
      return credential
    }
    var prepared = credential
    let told = credential.told
    let now = clock.now
    // Without a lock where there is nothing to write, as nearly always.
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

  /// The server took the credential, and with it what it told: nothing of it is kept any more.
  ///
  /// - Parameters:
  ///   - credential: As ``prepare(_:)`` returned it.
  ///   - subject: Whom the server answered about; needed for a credential without an ID token.
  package func acknowledge(_ credential: IdentityProviderCredential, subject: String? = nil)
    throws(StoreFault)
  {
    guard let subject = subject ?? credential.idToken.flatMap({ UnverifiedPayload($0)?.subject }),
      let kept = try list().profile(of: subject, at: credential.provider)
    else { return }
    // Another process may have learned more since.
    guard credential.pendingToken != nil || kept.fullName == credential.fullName else { return }
    try update { list in
      if list.profile(of: subject, at: credential.provider) == kept {
        list.remove(subject, at: credential.provider)
      }
    }
  }

  /// The account is gone: nothing of the person stays.
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
  /// What it says of the person; nil for nothing that is worth keeping.
  fileprivate var told: (name: PersonName?, email: String?)? {
    func bounded(_ text: String?) -> String? {
      guard let text, (1...OneTimeProfileList.longestPartBytes).contains(text.utf8.count) else {
        return nil
      }
      return text
    }
    let name = PersonName(
      givenName: bounded(fullName?.givenName), familyName: bounded(fullName?.familyName))
    let email = bounded(email)
    return name.isEmpty && email == nil ? nil : (name.isEmpty ? nil : name, email)
  }
}
