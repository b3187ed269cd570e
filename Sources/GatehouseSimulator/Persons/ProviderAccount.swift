import Foundation

/// What a person's account at one kind of provider has beyond what every person has: a member of
/// `POST /simulator/persons` named as the provider is.
protocol ProviderAccount: RequestBodyMembers, Encodable {
  /// - Throws: `invalid_request`, naming the member.
  func check() throws(SimulatorError)
}

extension Person {
  /// What was told of the account at a provider; nil if nothing was.
  func account<Account: ProviderAccount>(at providerID: String, as type: Account.Type) -> Account? {
    guard let told = accounts[providerID], let data = try? told.data() else { return nil }
    return try? JSONDecoder().decode(type, from: data)
  }
}

/// A member's name that is known only when the simulator runs.
struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
