import struct Foundation.Date

/// Seconds since 1970 for an error's detail: whole ones without a fraction.
func seconds(_ date: Date) -> String { seconds(date.timeIntervalSince1970) }

func seconds(_ seconds: Double) -> String {
  Int64(exactly: seconds).map { String($0) } ?? "\(seconds)"
}
