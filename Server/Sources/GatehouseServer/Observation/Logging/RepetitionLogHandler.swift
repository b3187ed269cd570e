package import Logging

/// A log handler that limits how often entries of one kind are written; see ``RepeatedEntries``.
///
/// The kind is the entry's place in the code, because clients may choose parts of its text. Entries
/// below `info` are all written: an operator who turns them on wants to see each one.
package struct RepetitionLogHandler<Base: LogHandler>: LogHandler {
  private var base: Base
  private let entries: RepeatedEntries

  package init(_ base: Base, _ entries: RepeatedEntries) {
    self.base = base
    self.entries = entries
  }

  package var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }

  package var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  package var metadataProvider: Logger.MetadataProvider? {
    get { base.metadataProvider }
    set { base.metadataProvider = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  package func log(event: LogEvent) {
    guard event.level >= .info else { return base.log(event: event) }
    let kind = "\(event.file):\(event.line)"
    guard let suppressed = entries.admit(kind, now: .now) else { return }
    guard suppressed > 0 else { return base.log(event: event) }
    var event = event
    var metadata = event.metadata ?? [:]
    metadata["suppressed"] = "\(suppressed)"
    event.metadata = metadata
    base.log(event: event)
  }
}
