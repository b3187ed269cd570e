import Foundation
package import GatehouseModel
package import NIOCore

extension SocketAddress {
  /// Nil if it isn't an IP address.
  package var address: IPAddress? {
    switch self {
    case .v4(let v4): return .v4(UInt32(bigEndian: v4.address.sin_addr.s_addr))
    case .v6(let v6):
      return IPAddress(v6: unsafe withUnsafeBytes(of: v6.address.sin6_addr) { unsafe Array($0) })
    case .unixDomainSocket: return nil
    }
  }
}
