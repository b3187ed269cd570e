import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient

/// An app with a unique name.
func makeApp(
  name: String = "test-\(UUID().uuidString)", options: (inout OptionValues) -> Void = { _ in },
  services: AppServices = AppServices(store: MemoryStore())
) throws -> FirebaseApp {
  var values = OptionValues()
  values.googleAppID = "1:12345:ios:0a1b2c3d"
  values.gcmSenderID = "12345"
  values.apiKey = "key-of-a-test"
  values.serverURL = URL(string: "https://auth.example.com")
  options(&values)
  return try FirebaseApp.add(name: name, values: values, services: services)
}
