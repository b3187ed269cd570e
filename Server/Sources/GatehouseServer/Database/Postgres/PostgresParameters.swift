/// The values of a statement as libpq takes them.
///
/// Numbers have the text format, texts and bytes the binary format: in the text format, a text
/// would end at its first zero byte.
struct PostgresParameters {
  private var bytes: [UInt8] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  /// Where each value begins; nil is null.
  private var offsets: [Int?] = []

  init(_ values: [SQLValue]) {
    for value in values {
      let (content, format): ([UInt8]?, Int32) =
        switch value {
        case .integer(let number): (Array("\(number)".utf8), 0)
        case .text(let text): (Array(text.utf8), 1)
        case .blob(let blob): (blob, 1)
        case .null: (nil, 0)
        }
      offsets.append(content.map { _ in bytes.count })
      lengths.append(Int32(clamping: content?.count ?? 0))
      formats.append(format)
      bytes += content ?? []
      bytes.append(0)
    }
  }

  /// The pointers are valid only during the call.
  func with(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, [Int32], [Int32]) -> Int32
  ) -> Int32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let start = unsafe UnsafeRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: CChar.self)
      let pointers = unsafe offsets.map { offset in
        unsafe offset.flatMap { unsafe start?.advanced(by: $0) }
      }
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        unsafe body(pointers.baseAddress, lengths, formats)
      }
    }
  }
}

/// A null-terminated array of C strings.
enum CStrings {
  static func with<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for text in texts {
      offsets.append(bytes.count)
      bytes += Array(text.utf8) + [0]
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      let start = unsafe UnsafeRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: CChar.self)
      let pointers = unsafe offsets.map { unsafe start?.advanced(by: $0) } + [nil]
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
  }
}
