import GatehouseAuth
import Foundation
import Testing

@Suite("AuthErrorCode") struct AuthErrorCodeTests {
  @Test func `has the cases of Firebase 12 and no others`() {
    #expect(Set(AuthErrorCode.allCases) == Set(AuthErrorRow.all.map(\.code)))
    #expect(AuthErrorRow.all.count == AuthErrorCode.allCases.count)
  }

  @Test(arguments: AuthErrorRow.all)
  func `has the number and the name`(_ row: AuthErrorRow) {
    #expect(row.code.rawValue == row.number)
    #expect(AuthErrorCode(rawValue: row.number) == row.code)
    #expect(row.code.name == row.name)
  }

  @Test(arguments: AuthErrorRow.all)
  func `makes an NSError with the domain, the name and the text`(_ row: AuthErrorRow) {
    let error = row.code.error()
    #expect(error.domain == "FIRAuthErrorDomain")
    #expect(error.code == row.number)
    #expect(error.userInfo[AuthErrorUserInfoNameKey] as? String == row.name)
    #expect(error.localizedDescription == row.code.text)
    #expect(row.code.localizedDescription == row.code.text)
    #expect(row.code.text.hasSuffix("."))
  }

  @Test(arguments: AuthErrorRow.all)
  func `has the server's codes`(_ row: AuthErrorRow) {
    for code in row.serverCodes { #expect(AuthErrorCode(serverCode: code) == row.code) }
  }

  @Test(arguments: ["INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN", "INVALID_GRANT_TYPE", ""])
  func `has no case for a code that Firebase's SDK doesn't know`(_ code: String) {
    #expect(AuthErrorCode(serverCode: code) == nil)
  }

  @Test(arguments: [17001, 17013, 17068, 17074, 17095, 0, -1])
  func `has no case for a number that Firebase doesn't use`(_ number: Int) {
    #expect(AuthErrorCode(rawValue: number) == nil)
  }

  @Test func `the NSError gets a message and additional userInfo`() {
    let error = AuthErrorCode.weakPassword.error("Too short.", userInfo: ["key": 1])
    #expect(error.localizedDescription == "Too short.")
    #expect(error.userInfo["key"] as? Int == 1)
    #expect(error.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_WEAK_PASSWORD")
  }

  @available(*, deprecated)
  @Test func `the initializers of its former structure work`() {
    #expect(AuthErrorCode(_nsError: AuthErrorCode.userDisabled.error()) == .userDisabled)
    #expect(AuthErrorCode(_nsError: NSError(domain: "Elsewhere", code: 17005)) == .internalError)
    #expect(AuthErrorCode(.userDisabled) == .userDisabled)
  }
}
