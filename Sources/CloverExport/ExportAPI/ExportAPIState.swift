/// The exports that the service was asked for and that are still of use. It is kept while a run is under way, so that one
/// that is killed does not ask for them again: exports wait for permitted hours, and take their time.
///
/// The addresses of the files are not in it, because whoever has one has the records.
package struct ExportAPIState: Codable, Sendable, Equatable {
    /// One export of at most 30 days.
    package struct Job: Codable, Sendable, Equatable {
        /// The first millisecond since 1970, and the one behind the last.
        package var from: Int64
        package var to: Int64
        /// The service's id.
        package var id: String
    }

    package private(set) var jobs: [Job] = []

    package init() {}

    func job(from: Int64, to: Int64) -> Job? {
        jobs.first { $0.from == from && $0.to == to }
    }

    /// Takes the place of an earlier export of the same time.
    mutating func put(_ job: Job) {
        remove(from: job.from, to: job.to)
        jobs.append(job)
    }

    /// Forgets an export that cannot be used any more.
    mutating func remove(from: Int64, to: Int64) {
        jobs.removeAll { $0.from == from && $0.to == to }
    }
}
