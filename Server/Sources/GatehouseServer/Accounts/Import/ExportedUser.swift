package import GatehouseProtocol

/// An account in a file in the format of `firebase auth:export`.
package struct ExportedUser: Sendable {
  package var user: UserInfo
  /// Base64, like ``salt``.
  package var passwordHash: String?
  package var salt: String?

  package init(_ user: UserInfo) { self.user = user }

  /// The password and the phone number have fields of their own.
  private var identities: [ProviderUserInfo] {
    user.providers.filter { $0.providerID != "password" && $0.providerID != "phone" }
  }

  /// The user as one line of the JSON format.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("localId", user.localID)
      writer.member("email", ifPresent: user.email)
      writer.member("emailVerified", user.emailVerified ?? false)
      writer.member("passwordHash", ifPresent: passwordHash)
      writer.member("salt", ifPresent: salt)
      writer.member("displayName", ifPresent: user.displayName)
      writer.member("photoUrl", ifPresent: user.photoURL)
      writer.member("lastSignedInAt", ifPresent: user.lastLoginAt.map(String.init))
      writer.member("createdAt", ifPresent: user.createdAt.map(String.init))
      writer.member("phoneNumber", ifPresent: user.phoneNumber)
      writer.member("disabled", ifPresent: user.disabled ? true : nil)
      writer.member("customAttributes", ifPresent: user.customAttributes)
      writer.array("providerUserInfo") { list in
        for info in identities { list.object { Self.write(info, to: &$0) } }
      }
      if let factors = user.mfaInfo, !factors.isEmpty {
        writer.array("mfaInfo") { list in
          for factor in factors { list.object { factor.writeMembers(to: &$0) } }
        }
      }
    }
    return writer.bytes
  }

  private static func write(_ info: ProviderUserInfo, to writer: inout JSONWriter) {
    writer.member("providerId", ifPresent: info.providerID)
    writer.member("rawId", ifPresent: info.rawID)
    writer.member("email", ifPresent: info.email)
    writer.member("displayName", ifPresent: info.displayName)
    writer.member("photoUrl", ifPresent: info.photoURL)
  }

  /// The user as a line of the CSV format, without the line break.
  ///
  /// - Parameter leftOut: Receives the providers that have no column.
  package func csv(leftOut: inout Set<String>) -> [UInt8] {
    var texts = [String](repeating: "", count: UserFileColumns.count)
    texts[0] = user.localID
    texts[1] = user.email ?? ""
    texts[2] = user.emailVerified == true ? "true" : "false"
    texts[3] = passwordHash ?? ""
    texts[4] = salt ?? ""
    texts[5] = user.displayName ?? ""
    texts[6] = user.photoURL ?? ""
    for info in identities {
      guard let place = UserFileColumns.providers.first(where: { $0.id == info.providerID }) else {
        leftOut.insert(info.providerID ?? "")
        continue
      }
      texts[place.column] = info.rawID ?? ""
      texts[place.column + 1] = info.email ?? ""
      texts[place.column + 2] = info.displayName ?? ""
      texts[place.column + 3] = info.photoURL ?? ""
    }
    texts[23] = user.createdAt.map(String.init) ?? ""
    texts[24] = user.lastLoginAt.map(String.init) ?? ""
    texts[25] = user.phoneNumber ?? ""
    texts[26] = user.disabled ? "true" : ""
    texts[27] = user.customAttributes ?? ""
    for column in UserFileColumns.namedByUsers {
      texts[column] = FormulaGuard.guarded(texts[column])
    }
    return texts.flatMap { Self.quoted($0) + [UInt8(ascii: ",")] }
  }

  /// RFC 4180 §2. Works on bytes: in a `String`, a quote followed by a combining mark is a
  /// different character, with which a name could end its field and add its own row.
  private static func quoted(_ text: String) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == quote || byte < 0x20
    }
    guard needsQuotes else { return Array(text.utf8) }
    return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }
}
