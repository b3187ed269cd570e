#if Verifier || Server
  import GatehouseModel
  import HTTPTypes

  /// The bearer token in the header `Authorization`.
  enum BearerToken {
    case token(String)
    /// No header, or a header with another scheme.
    case absent
    /// The scheme without a token, or several headers. Several are rejected, because a proxy may
    /// have checked a header other than the one that is read here.
    case malformed

    init(_ headers: HTTPFields) {
      let values = headers[values: .authorization]
      guard let value = values.first else {
        self = .absent
        return
      }
      guard values.count == 1 else {
        self = .malformed
        return
      }
      // "credentials = auth-scheme [ 1*SP ( token68 / … ) ]", the scheme in any case
      // (RFC 9110 §11.4, §11.1).
      let bytes = value.utf8
      let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
      let token = bytes.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
      guard scheme.map(\.asciiLowercased) == Array("bearer".utf8) else {
        self = .absent
        return
      }
      self = token.isEmpty ? .malformed : .token(String(decoding: token, as: UTF8.self))
    }
  }
#endif
