package import GatehouseProtocol

/// A value by which an administrator selects an account.
package enum AccountSelector: Sendable {
  case uid(UID)
  case email(EmailAddress)
  case phoneNumber(String)
  case identity(ProviderID, Subject)
}

/// How a user can sign in to an account.
package struct SignInMethods: Hashable, Sendable {
  package var password: Bool
  package var emailLink: Bool
  /// External identities, in the order in which they were linked.
  package var providers: [ProviderID]

  package init(password: Bool, emailLink: Bool, providers: [ProviderID]) {
    self.password = password
    self.emailLink = emailLink
    self.providers = providers
  }
}

extension AccountsService {
  /// The accounts that the selectors select, each once, in the selectors' order; unknown ones are
  /// omitted.
  package func accounts(
    matching selectors: [AccountSelector], in project: Project
  ) async throws -> [Account] {
    try await store.read { transaction in
      var found: [Account] = []
      var seen: Set<UID> = []
      for selector in selectors {
        let account =
          switch selector {
          case .uid(let uid): try transaction.account(uid, in: project.id)
          case .email(let email): try transaction.account(email: email, in: project.id)
          case .phoneNumber(let number):
            try transaction.account(phoneNumber: number, in: project.id)
          case .identity(let provider, let subject):
            try transaction.account(provider: provider, subject: subject, in: project.id)
          }
        if let account, seen.insert(account.uid).inserted { found.append(account) }
      }
      return found
    }
  }

  /// A page of accounts in the order of their ids, and the id after which the next page begins. The id
  /// is nil if the page isn't full. The page after a full one may be empty, as in Google's service.
  ///
  /// - Parameter pageSize: 1…1000, checked by the caller.
  package func accounts(
    after uid: UID?, pageSize: Int, in project: Project
  ) async throws -> (accounts: [Account], next: UID?) {
    let page = try await store.read {
      try $0.accounts(after: uid, limit: pageSize, in: project.id)
    }
    return (page, page.count >= pageSize ? page.last?.uid : nil)
  }

  /// The sign-in methods of an address, for a sign-in screen that asks for the address first. Nil
  /// if the address has no account.
  ///
  /// If no account has the address, an account that has an identity with the address is used. If the
  /// project allows duplicate addresses, this account needs an address of its own, and no providers are
  /// named: several accounts may have identities with the address.
  ///
  /// Doesn't check the project's enumeration protection. If the project has it, the caller must not
  /// reveal the result.
  package func signInMethods(
    of email: EmailAddress, in project: Project
  ) async throws -> SignInMethods? {
    let isUnique = !project.policies.allowsDuplicateEmails
    let account = try await store.read { transaction -> Account? in
      let holder = try transaction.account(email: email, in: project.id)
      if let holder { return holder }
      let owner = try transaction.account(identityEmail: email, in: project.id)
      return isUnique || owner?.email != nil ? owner : nil
    }
    guard let account else { return nil }
    guard isUnique else {
      return SignInMethods(
        password: account.password != nil, emailLink: account.hasEmailLink, providers: [])
    }
    return SignInMethods(
      password: account.password != nil, emailLink: account.hasEmailLink,
      providers: account.identities.map(\.provider))
  }
}
