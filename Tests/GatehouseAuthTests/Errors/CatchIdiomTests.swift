import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

/// Every way in which Firebase's documents and apps examine an error.
@Suite("Catching an error") struct CatchIdiomTests {
  private func fail() throws {
    var updated = IdentityProviderCredential(provider: .apple)
    updated.pendingToken = "pending"
    throw ClientError.credentialInUse(
      updated: updated, email: "ana@example.com", code: "FEDERATED_USER_ID_ALREADY_LINKED"
    ).nsError()
  }

  private func failElsewhere() throws {
    throw NSError(domain: "Elsewhere", code: AuthErrorCode.credentialAlreadyInUse.rawValue)
  }

  @Test func `as NSError`() {
    do {
      try fail()
      Issue.record("nothing was thrown")
    } catch let error as NSError {
      #expect(error.domain == AuthErrorDomain)
      #expect(error.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
      #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] is OAuthCredential)
    }
  }

  @Test func `as a pattern`() {
    do {
      try fail()
      Issue.record("nothing was thrown")
    } catch AuthErrorCode.userNotFound {
      Issue.record("another code")
    } catch AuthErrorCode.credentialAlreadyInUse {
    } catch {
      Issue.record(error)
    }
  }

  @Test func `as AuthErrorCode, by its code`() {
    do {
      try fail()
      Issue.record("nothing was thrown")
    } catch let error as AuthErrorCode {
      switch error.code {
      case .credentialAlreadyInUse: break
      default: Issue.record(error)
      }
    } catch {
      Issue.record(error)
    }
  }

  @Test func `by the number, through AuthErrorCode and AuthErrorCode.Code`() {
    do {
      try fail()
      Issue.record("nothing was thrown")
    } catch let error as NSError {
      switch AuthErrorCode(rawValue: error.code) {
      case .credentialAlreadyInUse: break
      default: Issue.record(error)
      }
      switch AuthErrorCode.Code(rawValue: error.code) {
      case .some(.credentialAlreadyInUse): break
      default: Issue.record(error)
      }
      guard let code = AuthErrorCode.Code(rawValue: error.code) else {
        Issue.record(error)
        return
      }
      #expect(code == .credentialAlreadyInUse)
    }
  }

  @Test func `in a completion handler`() {
    func call(_ completion: (String?, (any Error)?) -> Void) {
      do { try fail() } catch { completion(nil, error) }
    }
    call { _, error in
      let error = error as NSError?
      #expect(error?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    }
    call { _, error in
      if let error, let code = (error as? AuthErrorCode)?.code {
        #expect(code == .credentialAlreadyInUse)
      } else {
        Issue.record("no code")
      }
    }
    call { _, error in
      guard let error else {
        Issue.record("no error")
        return
      }
      #expect((error as NSError).code == AuthErrorCode.credentialAlreadyInUse.rawValue)
      #expect(error.localizedDescription == AuthErrorCode.credentialAlreadyInUse.text)
    }
  }

  @Test func `an error of another domain with the same number matches none of these`() {
    do {
      try failElsewhere()
      Issue.record("nothing was thrown")
    } catch AuthErrorCode.credentialAlreadyInUse {
      Issue.record("another domain")
    } catch let error as AuthErrorCode {
      Issue.record(error)
    } catch {
      #expect((error as NSError).domain == "Elsewhere")
    }
  }

  @Test func `a code that an app throws itself is the same NSError`() {
    do {
      throw AuthErrorCode.networkError
    } catch let error as NSError {
      #expect(error.domain == AuthErrors.domain)
      #expect(error.code == 17020)
      #expect(error.localizedDescription == AuthErrorCode.networkError.text)
    }
  }

  @Test func `an error equals its code`() {
    #expect(throws: AuthErrorCode.self) { try fail() }
    #expect(throws: AuthErrorCode.credentialAlreadyInUse) { try fail() }
  }
}
