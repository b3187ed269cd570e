import Foundation

/// Settings of a person's account at one kind of provider: a member of `POST /simulator/persons`
/// with the provider's name.
protocol ProviderAccount: RequestBodyMembers, Encodable {
  /// - Throws: `invalid_request` that names the member.
  func check() throws(SimulatorError)
}

extension Person {
  /// The settings of the account at a provider; nil if there are none.
  func account<Account: ProviderAccount>(at providerID: String, as type: Account.Type) -> Account? {
    guard let told = accounts[providerID], let data = try? told.data() else { return nil }
    return try? JSONDecoder().decode(type, from: data)
  }
}

/// The name of a member, known only at run time.
struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
