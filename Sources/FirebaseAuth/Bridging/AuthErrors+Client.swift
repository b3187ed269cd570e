import GatehouseClient

/// Runs `body`, and throws the client's errors as Firebase's.
func asAuthErrors<Value>(_ body: () async throws(ClientError) -> Value) async throws -> Value {
  do {
    return try await body()
  } catch {
    throw error.nsError()
  }
}

/// The same for synchronous work.
func asAuthErrors<Value>(_ body: () throws(ClientError) -> Value) throws -> Value {
  do {
    return try body()
  } catch {
    throw error.nsError()
  }
}
