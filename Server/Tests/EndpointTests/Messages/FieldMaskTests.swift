import Testing

@testable import GatehouseServer

@Suite struct FieldMaskTests {
  @Test func `without a mask the fields in the body change`() {
    for mask in [FieldMask(nil), FieldMask(""), .absent] {
      #expect(mask.covers("displayName", presentInBody: true))
      #expect(!mask.covers("displayName", presentInBody: false))
    }
  }

  @Test func `a mask names fields whether or not the body contains them`() {
    let mask = FieldMask("displayName,responseType.code")
    #expect(mask.covers("displayName", presentInBody: false))
    #expect(mask.covers("responseType.code", presentInBody: true))
    #expect(!mask.covers("responseType.idToken", presentInBody: true))
    #expect(!mask.covers("clientId", presentInBody: true))
  }

  @Test func `a message's name covers its fields; a prefix of a name covers nothing`() {
    #expect(FieldMask("responseType").covers("responseType.code", presentInBody: false))
    #expect(!FieldMask("response").covers("responseType.code", presentInBody: true))
    #expect(!FieldMask("responseType.code").covers("responseType", presentInBody: true))
  }

  @Test func `names may be in snake_case and have spaces around them`() {
    let mask = FieldMask("client_id, apple_sign_in_config.bundle_ids")
    #expect(mask.covers("clientId", presentInBody: false))
    #expect(mask.covers("appleSignInConfig.bundleIds", presentInBody: false))
  }

  @Test func `the last of many paths counts too`() {
    let paths = (0..<200).map { "p\($0)" } + ["displayName"]
    #expect(FieldMask(paths.joined(separator: ",")).covers("displayName", presentInBody: false))
  }
}
