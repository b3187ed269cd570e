import GatehouseProtocol
import GatehouseServer
import NIOCore

enum LocalAddresses {
  /// This machine's addresses in a private network, by which a phone in it can connect.
  static func all() -> [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap { $0.address?.ipAddress }.filter { text in
      IPAddress(text).map { if case .v4 = $0 { $0.reach == .private } else { false } } ?? false
    }
  }
}
