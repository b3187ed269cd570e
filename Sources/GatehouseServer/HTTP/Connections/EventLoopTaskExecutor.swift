import NIOCore

/// Runs a connection's tasks on the connection's event loop.
///
/// Without it a request changes its thread four times: from the event loop to a thread of Swift's
/// global executor, to the store's writer, back to the global executor, and to the event loop. With
/// it only the two changes around the writer remain, and results that share a commit wake the event
/// loop once.
///
/// What runs here delays the other connections of the loop, as it would delay other tasks of the
/// global executor, which has as many threads. Password hashing has threads of its own.
final class EventLoopTaskExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // NIO has an executor for actors, but none for tasks: a job that it runs would be enqueued once
    // more at each return from an actor.
    // The closure keeps the executor while the job runs.
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
