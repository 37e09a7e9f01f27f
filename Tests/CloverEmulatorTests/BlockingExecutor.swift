import Dispatch

/// Runs the jobs of an actor on a dispatch queue.
final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "blocking tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
