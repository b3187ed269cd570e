#if os(Linux) || os(macOS)
  import GatehouseClient
  import Testing

  @Suite struct LoopbackPeerTests {
    /// Both ends of a connection from port 40000 to port 4000, as Linux lists them.
    private static let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:0FA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1
         1: 0100007F:9C40 0100007F:0FA0 01 00000000:00000000 00:00000000 00000000  1001        0 12 1
         2: 0100007F:0FA0 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 13 1

      """

    private func peer(_ table: String, user: UInt32 = 1001) -> LoopbackPeer {
      LoopbackPeer(tables: [table], peerPort: 40000, port: 4000, user: user)
    }

    @Test func `a connection belongs to its user`() {
      #expect(peer(Self.table) == .own)
      #expect(peer(Self.table, user: 1000) == .other)
    }

    @Test func `an IPv4 connection of an IPv6 socket is found too`() {
      let mapped = Self.table.replacing("0100007F", with: "0000000000000000FFFF00000100007F")
      #expect(peer(mapped) == .own)
    }

    @Test(arguments: [
      ("0100007F:9C40 0100007F:0FA0 01", "0100007F:9C41 0100007F:0FA0 01"),
      ("0100007F:9C40 0100007F:0FA0 01", "0100007F:9C40 0100007F:0FA1 01"),
      ("0100007F:9C40 0100007F:0FA0 01", "0200007F:9C40 0100007F:0FA0 01"),
      // TIME_WAIT: no user owns it any more, and the table says user 0.
      ("0100007F:9C40 0100007F:0FA0 01", "0100007F:9C40 0100007F:0FA0 06"),
      ("1001", "many"),
    ])
    func `a connection that isn't found, or is closed, counts as another user's`(
      _ part: String, _ other: String
    ) {
      #expect(peer(Self.table.replacing(part, with: other)) == .other)
    }

    @Test func `a system without connection tables gives an unknown owner`() {
      #expect(LoopbackPeer(tables: [], peerPort: 40000, port: 4000, user: 1001) == .unknown)
    }
  }
#endif
