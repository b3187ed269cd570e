import GatehouseProtocol

/// A provider's id, or the name by which people call it.
enum ProviderName {
  private static let names = [
    "apple": ProviderID.apple.text, "google": ProviderID.google.text,
    "facebook": ProviderID.facebook.text, "github": "github.com", "microsoft": "microsoft.com",
  ]

  /// `apple.com` for `apple`.
  static func id(_ name: String) -> String { names[name.lowercased()] ?? name }
}
