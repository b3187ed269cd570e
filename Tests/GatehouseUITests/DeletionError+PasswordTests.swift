import GatehouseClient
import Testing

@testable import GatehouseUI

@Suite struct DeletionErrorPasswordTests {
  private static func failure(_ cause: AccountError) -> DeletionError.Failure {
    DeletionError.Failure(cause: cause, completed: [])
  }

  private static func refused(_ code: String) -> AccountError {
    .client(.server(ServerRefusal(status: 400, code: code)))
  }

  private static let tooOld = AccountError.client(
    .needsRecentSignIn(providers: [.apple, .password]))

  @Test(arguments: [
    DeletionError.reauthenticate(.password, failure(tooOld)),
    .reauthenticate(.apple, failure(tooOld)), .reauthenticateGoogle(failure(tooOld)),
    .reauthenticate(.password, failure(refused("INVALID_LOGIN_CREDENTIALS"))),
    .reauthenticate(.password, failure(refused("INVALID_PASSWORD"))),
    .reauthenticate(.password, failure(.client(.userMismatch))),
    .reauthenticate(.password, failure(.device(.failed(detail: "x")))),
  ])
  func `the button asks for the password if no saved one helps`(error: DeletionError) {
    #expect(error.wantsPassword)
  }

  @Test(arguments: [
    // The account has no password.
    DeletionError.reauthenticate(
      "oidc.example", failure(.client(.needsRecentSignIn(providers: ["oidc.example"])))),
    // Re-authentication worked.
    .delete(failure(tooOld)),
    // The user chose another Google Account.
    .reauthenticateGoogle(failure(.client(.userMismatch))),
    .reauthenticate(.password, failure(refused("TOO_MANY_ATTEMPTS_TRY_LATER"))),
    .reauthenticate(.password, failure(.client(.network(NetworkFault(.offline, detail: "x"))))),
    .reauthenticate(.password, failure(.device(.busy))),
  ])
  func `the button asks for no password that wouldn't help`(error: DeletionError) {
    #expect(!error.wantsPassword)
  }
}
