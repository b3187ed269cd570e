import Testing

@testable import GatehouseAPI

@Suite struct FieldMaskTests {
  @Test func `without a mask the fields in the body change`() throws {
    for mask in [try FieldMask(nil), try FieldMask(""), .absent] {
      #expect(mask.covers("displayName", presentInBody: true))
      #expect(!mask.covers("displayName", presentInBody: false))
    }
  }

  @Test func `a mask names fields whether or not the body contains them`() throws {
    let mask = try FieldMask("displayName,responseType.code")
    #expect(mask.covers("displayName", presentInBody: false))
    #expect(mask.covers("responseType.code", presentInBody: true))
    #expect(!mask.covers("responseType.idToken", presentInBody: true))
    #expect(!mask.covers("clientId", presentInBody: true))
  }

  @Test func `a message's name covers its fields; a prefix of a name covers nothing`() throws {
    #expect(try FieldMask("responseType").covers("responseType.code", presentInBody: false))
    #expect(try !FieldMask("response").covers("responseType.code", presentInBody: true))
    #expect(try !FieldMask("responseType.code").covers("responseType", presentInBody: true))
  }

  @Test func `names may be in snake_case and have spaces around them`() throws {
    let mask = try FieldMask("client_id, apple_sign_in_config.bundle_ids")
    #expect(mask.covers("clientId", presentInBody: false))
    #expect(mask.covers("appleSignInConfig.bundleIds", presentInBody: false))
  }

  @Test func `a mask may have 64 paths, and not one more`() throws {
    let paths = (0..<64).map { "p\($0)" }
    #expect(
      try FieldMask(paths.joined(separator: ",")).covers("p63", presentInBody: false))
    #expect(throws: APIError.invalidArgument("updateMask has more than 64 paths.")) {
      try FieldMask((paths + ["displayName"]).joined(separator: ","))
    }
  }
}
