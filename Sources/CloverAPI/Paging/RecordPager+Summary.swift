extension RecordPager {
    /// What was read.
    package struct Summary: Sendable, Equatable {
        package var records = 0
        package var pages = 0
        /// The most records on a page; 0 if not tracked.
        package var largestPage = 0
        /// As many records arrived as requested, so there may be more.
        package var mayHaveMore = false
        /// The windows in the order in which they were read; a single one without bounds for an undivided list.
        package var windows: [Window] = []
        /// The total number of windows, if known.
        package var windowCount: Int?
        /// The number of nested lists that may be truncated and could not be completed. Their records are delivered
        /// unchanged.
        package var cutCount = 0
        /// The first of these.
        package private(set) var cutRecords: [CutRecord] = []
        /// The number of truncated nested lists that were completed.
        package var completedLists = 0
        /// Ids of records near which others may be missing, because rows changed faster than pages could be read.
        package var gapsNear: [String] = []

        package init() {}

        /// More are counted but not kept, so that memory does not grow with the number of records.
        private static let cutRecordsKept = 1000

        mutating func add(_ cut: [CutRecord]) {
            cutCount += cut.count
            cutRecords += cut.prefix(Self.cutRecordsKept - cutRecords.count)
        }

        /// Whether every window was read completely and every record is complete.
        package var isWhole: Bool {
            cutCount == 0 && gapsNear.isEmpty && windows.allSatisfy { $0.failure == nil }
        }
    }

    /// One window of a list.
    package struct Window: Sendable, Equatable {
        /// Nil for an undivided list.
        package var bounds: TimeWindow?
        package var records = 0
        package var firstID: String?
        package var lastID: String?
        /// Why the window was not read, or not completely, as text such as `503 after 5 retries`.
        package var failure: String?
    }

    /// A record whose nested list may lack entries.
    package struct CutRecord: Sendable, Equatable {
        /// Nil if the record has no id.
        package var id: String?
        /// The list, as an expansion name: `lineItems`.
        package var list: String
        package var reason: Reason

        package init(id: String?, list: String, reason: Reason) {
            self.id = id
            self.list = list
            self.reason = reason
        }

        package enum Reason: Sendable, Equatable {
            /// The list cannot be read separately.
            case noEndpoint
            /// Reading it failed; the reason as text.
            case failed(String)
            /// Read separately, it is shorter than inside the record.
            case shorter
            /// It exceeds the size limit of a record.
            case tooLarge
        }
    }
}

extension ServiceError {
    /// A short description without the URL.
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
        case .unreachable(_, _, let retries): return "no complete response" + after(retries)
        case .redirected(let status, _, _): return "\(status)"
        case .unreadable(let fault, _, _): return "\(fault)"
        case .filterIgnored: return "a filter was ignored"
        }
    }

    /// Whether other requests of the run may still succeed.
    var concernsOneRequest: Bool {
        switch self {
        case .failed, .unreachable, .unreadable: true
        case .unauthorized, .forbidden, .notFound, .refused, .rateLimited, .paused, .redirected, .filterIgnored: false
        }
    }
}
