import Foundation
import GatehouseClient
import Testing

@Suite struct EmailCodeSessionTests {
  private let session = EmailCodeSession(id: "session")

  @Test(arguments: ["123456", "123 456", " 123-456\n", "１２３４５６", "١٢٣٤٥٦"])
  func `digits are taken as users type them`(_ text: String) throws {
    #expect(try session.actionCode(digits: text) == "session.123456")
  }

  @Test(arguments: ["", "12345", "1234567"])
  func `another number of digits is refused`(_ text: String) {
    #expect(
      throws: ClientError.invalidArgument(detail: "The code doesn't have six digits.")
    ) { try session.actionCode(digits: text) }
  }

  @Test(arguments: ["12345a", "12345½", "12345十", "12345.", "12345٫"])
  func `other characters are refused`(_ text: String) {
    let refused = (try? session.actionCode(digits: text)) == nil
    #expect(refused)
  }

  @Test func `it can be stored, and isn't printed`() throws {
    let stored = try JSONEncoder().encode(session)
    #expect(try JSONDecoder().decode(EmailCodeSession.self, from: stored) == session)
    #expect("\(session) \(String(reflecting: session))" == "EmailCodeSession EmailCodeSession")
  }
}
