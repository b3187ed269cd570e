import GatehouseAuth
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite("AuthTokenResult") struct AuthTokenResultTests {
  private let result = AuthTokenResult(
    IDToken(
      token: "header.payload.signature", issuedAt: Date(timeIntervalSince1970: 1_700_000_200),
      expiresAt: Date(timeIntervalSince1970: 1_700_003_800),
      authenticatedAt: Date(timeIntervalSince1970: 1_700_000_100), signInProvider: .apple,
      secondFactor: nil,
      claims: [
        "sub": "ana", "admin": true, "level": 3,
        "ratio": JSONNumber(0.5).map(JSONValue.number) ?? .null,
        "nothing": .null, "firebase": ["identities": ["apple.com": ["000123"]]],
      ]))

  @Test func `has the token's claims, also from an archive`() throws {
    for result in [result, try archived(result)] {
      #expect(result.token == "header.payload.signature")
      #expect(result.issuedAtDate == Date(timeIntervalSince1970: 1_700_000_200))
      #expect(result.expirationDate == Date(timeIntervalSince1970: 1_700_003_800))
      #expect(result.authDate == Date(timeIntervalSince1970: 1_700_000_100))
      #expect(result.signInProvider == "apple.com")
      #expect(result.signInSecondFactor == "")
      #expect(result.claims["sub"] as? String == "ana")
    }
  }

  @Test func `claims are cast like values of JSONSerialization`() {
    let claims = result.claims
    #expect(claims["admin"] as? Bool == true)
    #expect(claims["level"] as? Int == 3)
    #expect(claims["level"] as? NSNumber == 3)
    #expect(claims["ratio"] as? Double == 0.5)
    #expect(claims["nothing"] is NSNull)
    let firebase = claims["firebase"] as? [String: Any]
    let identities = firebase?["identities"] as? [String: Any]
    #expect(identities?["apple.com"] as? [String] == ["000123"])
  }

  @Test func `properties can be set, and claims that JSON can't represent are dropped`() throws {
    let result = try archived(result)
    result.token = "other"
    result.claims = ["a": true, "b": 1, "c": 1.5, "d": ["e": NSNull()], "f": Date()]
    #expect(result.token == "other")
    let read = try archived(result)
    #expect(read.claims.keys.sorted() == ["a", "b", "c", "d"])
    #expect(read.claims["a"] as? Bool == true)
    #expect(read.claims["b"] as? Int == 1)
    #expect(read.claims["c"] as? Double == 1.5)
    #expect((read.claims["d"] as? [String: Any])?["e"] is NSNull)
  }

  @Test func `many threads can set its properties at once`() async {
    let result = result
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          result.claims = ["number": number]
          _ = result.claims
          result.token = "\(number)"
          _ = result.token
        }
      }
    }
    #expect(result.claims["number"] is NSNumber)
  }

  @Test func `no dump shows the token`() {
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains("signature"))
  }
}
