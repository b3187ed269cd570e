import Foundation
import GatehouseAccounts
import GatehousePostgres
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
    guard folder.hasWritten("ready", within: 120) else { throw ClusterFailure(folder.log) }
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
}
