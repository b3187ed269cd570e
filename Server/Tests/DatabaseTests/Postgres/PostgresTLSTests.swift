import Foundation
@testable import GatehouseServer
import TestStores
import Testing

/// A server whose certificate is for `db.example.com`, by an authority that the machine doesn't know.
@Suite struct PostgresTLSTests {
  private func withServer(
    _ body: (_ port: String, _ authority: String) throws -> Void
  ) async throws {
    let folder = try PostgresFolder()
    try folder.run(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Made-up authority" \\
        -keyout ca.key -out ca.crt
      openssl req -newkey rsa:2048 -nodes -subj "/CN=db.example.com" -keyout server.key -out server.csr
      echo "subjectAltName=DNS:db.example.com" > extensions
      openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \\
        -extfile extensions -out server.crt
      initdb -D data -U gatehouse -A trust -E UTF8 --locale=C --no-sync
      cp server.key server.crt data
      chmod 600 data/server.key
      for port in $(shuf -i 20000-32000 -n 20); do
        pg_ctl -D data -l log -w -o "-p $port -k $PWD -c listen_addresses=127.0.0.1 -c ssl=on" start \\
          && break
      done
      echo "$port" > port
      touch ready
      wait_for_owner
      pg_ctl -D data -m immediate stop
      """)
    defer { folder.end() }
    guard folder.hasWritten("ready") else { throw ClusterFailure(folder.log) }
    let port = try String(contentsOfFile: folder.path + "/port", encoding: .utf8)
    try body(port.trimmingCharacters(in: .whitespacesAndNewlines), folder.path + "/ca.crt")
  }

  private func connect(
    _ host: String, _ port: String, _ parameters: String = ""
  ) throws -> [[String]] {
    try PostgresStore.rows(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
      at: try PostgresAddress(
        "postgres://gatehouse@\(host):\(port)/postgres?hostaddr=127.0.0.1\(parameters)"))
  }

  @Test func `the certificate and the name in it are checked, without a parameter that says so`()
    async throws
  {
    try await withServer { port, authority in
      let known = try connect("db.example.com", port, "&sslrootcert=\(authority)")
      #expect(known == [["t"]])
      let unknown = #expect(throws: StoreError.self) { try connect("db.example.com", port) }
      #expect("\(unknown, default: "")".contains("certificate verify failed"))
      let other = #expect(throws: StoreError.self) {
        try connect("other.example.com", port, "&sslrootcert=\(authority)")
      }
      #expect("\(other, default: "")".contains("does not match host name"))
    }
  }

  /// libpq takes a part of such a record, and the rest waits in OpenSSL: the socket doesn't tell of it.
  @Test func `an answer in TLS records larger than libpq's reads arrives whole`() async throws {
    try await withProxy { address in
      let connection = try PostgresConnection(address)
      // The answers end at different places of the last record.
      for size in stride(from: 5000, through: 7000, by: 200) {
        connection.begin(
          .read, savesEachStatement: false, until: ContinuousClock.now + .seconds(300))
        let lengths = try connection.all(RowsSQL.rows, .integer(Int64(size))) {
          try $0.text(0).utf8.count
        }
        connection.endReading()
        #expect(lengths == Array(repeating: size, count: 40))
      }
    }
  }

  private enum RowsSQL: String, SQLStatement {
    case rows = "SELECT repeat('x', CAST(? AS integer)) FROM generate_series(1, 40)"
  }

  /// Something in front of the shared cluster that ends TLS, and sends records of 16 KB.
  private func withProxy(_ body: (PostgresAddress) throws -> Void) async throws {
    let cluster = try PostgresCluster.shared.get()
    let folder = try PostgresFolder()
    let proxy = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tls_proxy.py")
    try Data(contentsOf: proxy).write(to: URL(filePath: folder.path + "/tls_proxy.py"))
    try folder.run(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=db.example.com" \\
        -addext "subjectAltName=DNS:db.example.com" -keyout proxy.key -out proxy.crt
      python3 tls_proxy.py \(cluster.socketFolder)/.s.PGSQL.5432 &
      proxy=$!
      wait_for_owner
      kill $proxy
      """)
    defer { folder.end() }
    guard folder.hasWritten("port") else { throw ClusterFailure(folder.log) }
    let port = try String(contentsOfFile: folder.path + "/port", encoding: .utf8)
    try body(
      try PostgresAddress(
        "postgres://gatehouse@db.example.com:\(port)/postgres?hostaddr=127.0.0.1"
          + "&sslrootcert=\(folder.path)/proxy.crt"))
  }
}
