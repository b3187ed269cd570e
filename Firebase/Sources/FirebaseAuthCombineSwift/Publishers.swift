#if canImport(Combine)
  public import Combine
  public import FirebaseAuth

  // Google's publishers. A `Future` begins its call when it is created, and ends on the main actor.

  extension Auth {
    /// What ``Auth/addStateDidChangeListener(_:)`` reports. Each call of this function adds a listener at
    /// once, which stays until a subscription of the publisher is cancelled.
    public func authStateDidChangePublisher() -> AnyPublisher<User?, Never> {
      let subject = PassthroughSubject<User?, Never>()
      let handle = addStateDidChangeListener { _, user in subject.send(user) }
      return subject.handleEvents(receiveCancel: { self.removeStateDidChangeListener(handle) })
        .eraseToAnyPublisher()
    }

    /// What ``Auth/addIDTokenDidChangeListener(_:)`` reports, as ``authStateDidChangePublisher()``.
    public func idTokenDidChangePublisher() -> AnyPublisher<User?, Never> {
      let subject = PassthroughSubject<User?, Never>()
      let handle = addIDTokenDidChangeListener { _, user in subject.send(user) }
      return subject.handleEvents(receiveCancel: { self.removeIDTokenDidChangeListener(handle) })
        .eraseToAnyPublisher()
    }

    @discardableResult
    public func updateCurrentUser(_ user: User) -> Future<Void, any Error> {
      done { self.updateCurrentUser(user, completion: $0) }
    }

    @discardableResult
    public func signInAnonymously() -> Future<AuthDataResult, any Error> {
      value { self.signInAnonymously(completion: $0) }
    }

    @discardableResult
    public func createUser(
      withEmail email: String, password: String
    ) -> Future<AuthDataResult, any Error> {
      value { self.createUser(withEmail: email, password: password, completion: $0) }
    }

    @discardableResult
    public func signIn(
      withEmail email: String, password: String
    ) -> Future<AuthDataResult, any Error> {
      value { self.signIn(withEmail: email, password: password, completion: $0) }
    }

    @discardableResult
    public func signIn(
      withEmail email: String, link: String
    ) -> Future<AuthDataResult, any Error> {
      value { self.signIn(withEmail: email, link: link, completion: $0) }
    }

    @discardableResult
    public func signIn(withCustomToken token: String) -> Future<AuthDataResult, any Error> {
      value { self.signIn(withCustomToken: token, completion: $0) }
    }

    @discardableResult
    public func signIn(with credential: AuthCredential) -> Future<AuthDataResult, any Error> {
      value { self.signIn(with: credential, completion: $0) }
    }

    @discardableResult
    public func signIn(
      with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
    ) -> Future<AuthDataResult, any Error> {
      value { self.signIn(with: provider, uiDelegate: uiDelegate, completion: $0) }
    }

    @discardableResult
    public func sendSignInLink(
      toEmail email: String, actionCodeSettings: ActionCodeSettings
    ) -> Future<Void, any Error> {
      done {
        self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings, completion: $0)
      }
    }

    @discardableResult
    public func sendPasswordReset(withEmail email: String) -> Future<Void, any Error> {
      done { self.sendPasswordReset(withEmail: email, completion: $0) }
    }

    @discardableResult
    public func sendPasswordReset(
      withEmail email: String, actionCodeSettings: ActionCodeSettings
    ) -> Future<Void, any Error> {
      done {
        self.sendPasswordReset(
          withEmail: email, actionCodeSettings: actionCodeSettings, completion: $0)
      }
    }

    @discardableResult
    public func confirmPasswordReset(
      withCode code: String, newPassword: String
    ) -> Future<Void, any Error> {
      done { self.confirmPasswordReset(withCode: code, newPassword: newPassword, completion: $0) }
    }

    @discardableResult
    public func verifyPasswordResetCode(_ code: String) -> Future<String, any Error> {
      value { self.verifyPasswordResetCode(code, completion: $0) }
    }

    @discardableResult
    public func checkActionCode(code: String) -> Future<ActionCodeInfo, any Error> {
      value { self.checkActionCode(code, completion: $0) }
    }

    @discardableResult
    public func applyActionCode(code: String) -> Future<Void, any Error> {
      done { self.applyActionCode(code, completion: $0) }
    }
  }

  extension User {
    @discardableResult
    public func link(with credential: AuthCredential) -> Future<AuthDataResult, any Error> {
      value { self.link(with: credential, completion: $0) }
    }

    @discardableResult
    public func reauthenticate(
      with credential: AuthCredential
    ) -> Future<AuthDataResult, any Error> {
      value { self.reauthenticate(with: credential, completion: $0) }
    }

    @discardableResult
    public func unlink(fromProvider provider: String) -> Future<User, any Error> {
      value { self.unlink(fromProvider: provider, completion: $0) }
    }

    @discardableResult
    public func sendEmailVerification() -> Future<Void, any Error> {
      done { self.sendEmailVerification(completion: $0) }
    }

    @discardableResult
    public func sendEmailVerification(
      with actionCodeSettings: ActionCodeSettings
    ) -> Future<Void, any Error> {
      done { self.sendEmailVerification(with: actionCodeSettings, completion: $0) }
    }
  }

  extension OAuthProvider {
    @discardableResult
    public func getCredentialWith(
      _ uiDelegate: (any AuthUIDelegate)?
    ) -> Future<AuthCredential, any Error> {
      value { self.getCredentialWith(uiDelegate, completion: $0) }
    }
  }

  extension PhoneAuthProvider {
    @discardableResult
    public func verifyPhoneNumber(
      _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil
    ) -> Future<String, any Error> {
      value { completion in
        // Called once.
        nonisolated(unsafe) let completion = completion
        self.verifyPhoneNumber(phoneNumber, uiDelegate: uiDelegate) { unsafe completion($0, $1) }
      }
    }
  }

  private func value<Value>(
    _ call: (@escaping (Value?, (any Error)?) -> Void) -> Void
  ) -> Future<Value, any Error> {
    Future { promise in
      call { value, error in
        if let value { promise(.success(value)) } else if let error { promise(.failure(error)) }
      }
    }
  }

  private func done(
    _ call: (@escaping ((any Error)?) -> Void) -> Void
  ) -> Future<Void, any Error> {
    value { completion in call { completion($0 == nil ? () : nil, $0) } }
  }
#endif
