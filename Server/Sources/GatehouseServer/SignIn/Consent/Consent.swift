package import Foundation
package import GatehouseProtocol

/// A part of an account that identifies its user, as a consent names it.
package enum AccountPart: Hashable, Sendable {
  case identity(ProviderID)
  case email
  case phone

  /// `apple.com`, `email`, `phone`.
  package var name: String {
    switch self {
    case .identity(let provider): provider.text
    case .email: "email"
    case .phone: ProviderID.phone.text
    }
  }

  package init?(name: String) {
    guard let named = ProviderID(name) else { return nil }
    switch named {
    case .phone: self = .phone
    case .password, .anonymous: return nil
    default: self = name.utf8.elementsEqual("email".utf8) ? .email : .identity(named)
    }
  }
}

/// The consent in a request.
package struct GivenConsent: Hashable, Sendable {
  /// The version of the text that the user was shown, in the app's own numbering.
  package let version: String
  package let joins: [AccountPart]

  /// An account has one identity per provider, and few providers.
  package static let maximumParts = 32
  package static let maximumVersionBytes = 128

  /// Nil if the version is empty, longer than ``maximumVersionBytes`` or has control characters,
  /// and for no parts or more than ``maximumParts``.
  package init?(version: String, joins: [AccountPart]) {
    guard (1...Self.maximumVersionBytes).contains(version.utf8.count),
      version.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
      (1...Self.maximumParts).contains(joins.count)
    else { return nil }
    self.version = version
    self.joins = joins
  }

  /// Whether the user agreed to join all of these.
  func covers(_ parts: [AccountPart]) -> Bool { Set(parts).isSubset(of: joins) }
}

/// A consent that was needed and given, as it is stored with the account.
package struct Consent: Hashable, Sendable {
  package let version: String
  /// The parts that were joined. The user may have agreed to more.
  package let joins: [AccountPart]
  package let givenAt: Date

  /// Older consents of an account are deleted.
  package static let maximumPerAccount = 100

  /// - Parameter givenAt: Kept to the millisecond.
  package init(version: String, joins: [AccountPart], givenAt: Date) {
    self.version = version
    self.joins = joins
    self.givenAt = givenAt.wholeMilliseconds
  }
}
