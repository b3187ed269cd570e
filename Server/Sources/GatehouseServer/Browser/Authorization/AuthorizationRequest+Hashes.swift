import Crypto
import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Data

extension AuthorizationRequest {
  /// The nonce as every provider receives it: SHA-256 in lower-case hex.
  var nonceHash: String { SHA256.hash(data: Data(rawNonce.utf8)).lowercaseHex }

  /// `BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))` (RFC 7636 §4.2).
  var codeChallenge: String? {
    codeVerifier.map { Base64URL.encode(Array(SHA256.hash(data: Data($0.utf8)))) }
  }
}
