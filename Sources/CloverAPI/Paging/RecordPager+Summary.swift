extension RecordPager {
    /// What was read.
    package struct Summary: Sendable, Equatable {
        package var records = 0
        package var pages = 0
        /// The most records that a page had; 0 where that was not of interest.
        package var largestPage = 0
        /// As many records came as were asked for, so the service may have more.
        package var mayHaveMore = false
        /// The list's windows in the order in which they were read; one without bounds for a list in one piece.
        package var windows: [Window] = []
        /// How many windows there are in all, when that is known.
        package var windowCount: Int?
        /// Nested lists that may have been cut and could not be completed. Their records are delivered as they are.
        package var cutCount = 0
        /// The first of them.
        package private(set) var cutRecords: [CutRecord] = []
        /// Nested lists that were cut and got their rest.
        package var completedLists = 0
        /// Rows came or went faster than pages could be read: some may be missing near these records.
        package var gapsNear: [String] = []

        package init() {}

        /// More are counted but not kept: memory does not grow with the number of records.
        private static let cutRecordsKept = 1000

        mutating func add(_ cut: [CutRecord]) {
            cutCount += cut.count
            cutRecords += cut.prefix(Self.cutRecordsKept - cutRecords.count)
        }

        /// Whether every window was read to its end, and every record is whole.
        package var isWhole: Bool {
            cutCount == 0 && gapsNear.isEmpty && windows.allSatisfy { $0.failure == nil }
        }
    }

    /// One window of a list.
    package struct Window: Sendable, Equatable {
        /// Nil for a list in one piece.
        package var bounds: TimeWindow?
        package var records = 0
        package var firstID: String?
        package var lastID: String?
        /// Why it was not read, or not to its end; in words, such as `503 after 5 retries`.
        package var failure: String?
    }

    /// A record whose nested list may lack entries.
    package struct CutRecord: Sendable, Equatable {
        /// Nil for a record without one.
        package var id: String?
        /// The list, as an expansion names it: `lineItems`.
        package var list: String
        package var reason: Reason

        package init(id: String?, list: String, reason: Reason) {
            self.id = id
            self.list = list
            self.reason = reason
        }

        package enum Reason: Sendable, Equatable {
            /// The list cannot be read by itself.
            case noEndpoint
            /// It could not be read; in words.
            case failed(String)
            /// It is shorter by itself than inside the record.
            case shorter
            /// It is larger than a record may be.
            case tooLarge
        }
    }
}

extension ServiceError {
    /// In a few words, without the address.
    package var brief: String {
        func after(_ retries: Int) -> String {
            retries == 0 ? "" : retries == 1 ? " after 1 retry" : " after \(retries) retries"
        }
        switch self {
        case .unauthorized: return "401"
        case .forbidden: return "403"
        case .notFound: return "404"
        case .refused(let status, _, _): return "\(status)"
        case .rateLimited(_, let retries, _, _): return "429" + after(retries)
        case .paused: return "a pause after a 429"
        case .failed(let status, _, let retries, _): return "\(status)" + after(retries)
        case .unreachable(_, _, let retries): return "no whole answer" + after(retries)
        case .redirected(let status, _, _): return "\(status)"
        case .unreadable(let fault, _, _): return "\(fault)"
        case .filterIgnored: return "a filter was ignored"
        }
    }

    /// Whether other requests of the run may succeed all the same.
    var concernsOneRequest: Bool {
        switch self {
        case .failed, .unreachable, .unreadable: true
        case .unauthorized, .forbidden, .notFound, .refused, .rateLimited, .paused, .redirected, .filterIgnored: false
        }
    }
}
