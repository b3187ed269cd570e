import GatehouseTokens
import Testing

@Suite struct SignatureBatchTests {
  private func answer(_ line: String) -> String {
    String(decoding: SignatureBatch.answer(Array(line.utf8)), as: UTF8.self)
  }

  @Test(arguments: SignatureVector.all)
  func `a good signature is valid`(vector: SignatureVector) {
    let line = "{\"jwks\":{\"keys\":[\(vector.jwk)]},\"jws\":\"\(vector.jws)\"}"
    #expect(answer(line) == "{\"valid\":true,\"code\":\"ok\"}")
  }

  @Test(arguments: [
    ("", "request"), ("{}", "request"), ("{\"jwks\":[],\"jws\":\"\"}", "request"),
    ("{\"jwks\":{},\"jws\":\"\"}", "keySet"),
    ("{\"jwks\":{\"keys\":[]},\"jws\":\"a.b\"}", "segments"),
    ("{\"jwks\":{\"keys\":[]},\"jws\":\"e30.e30.AA\"}", "header"),
    ("{\"jwks\":{\"keys\":[]},\"jws\":\"eyJhbGciOiJSUzI1NiJ9.AA.AA\"}", "keyUnknown"),
  ])
  func `the code of a bad line says why`(line: String, code: String) {
    #expect(answer(line) == "{\"valid\":false,\"code\":\"\(code)\"}")
  }
}
