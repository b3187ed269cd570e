import GatehouseProtocol

/// Checks bare signatures in bulk: a line of JSON in, a line of JSON out.
public enum SignatureBatch {
  /// The longest line, in bytes: 2 MiB. The response to a longer line has the code `request`.
  public static let maximumLineBytes = 2 << 20

  /// Checks one line.
  ///
  /// - Parameter line: `{"jwks":{"keys":[…]},"jws":"…"}`.
  /// - Returns: `{"valid":true,"code":"ok"}`, or `{"valid":false,"code":"…"}`, without a line
  ///   break. The code is a ``TokenError/Code``, `keySet` if `jwks` isn't a key set, or `request`
  ///   if the line doesn't have the form above.
  public static func answer(_ line: [UInt8]) -> [UInt8] {
    let code = code(of: line)
    var writer = JSONWriter(reservingCapacity: 64)
    writer.object {
      $0.member("valid", code == nil)
      $0.member("code", code ?? "ok")
    }
    return writer.bytes
  }

  /// The error's code; nil if the signature is valid.
  private static func code(of line: [UInt8]) -> String? {
    let limits = JSONLimits(bytes: maximumLineBytes, stringBytes: maximumLineBytes)
    guard let request = try? JSONObject(parsing: line, limits: limits),
      let jwks = request["jwks"]?.object, let compact = request["jws"]?.string
    else { return "request" }
    guard let keys = try? KeySet(jwks) else { return "keySet" }
    do throws(TokenError) {
      let jws = try UnverifiedJWS(compact, limits: TokenLimits(bytes: TokenLimits.greatestBytes))
      _ = try SignatureVerifier(keys: keys).verify(jws)
      return nil
    } catch {
      return error.code.rawValue
    }
  }
}
