import GatehouseClient

/// Runs `body`, and converts the client's errors to Firebase's.
func asAuthErrors<Value>(_ body: () async throws(ClientError) -> Value) async throws -> Value {
  do {
    return try await body()
  } catch {
    throw error.nsError()
  }
}

/// As above, for synchronous work.
func asAuthErrors<Value>(_ body: () throws(ClientError) -> Value) throws -> Value {
  do {
    return try body()
  } catch {
    throw error.nsError()
  }
}
