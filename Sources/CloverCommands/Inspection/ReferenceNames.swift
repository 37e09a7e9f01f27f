import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput

/// Names that were requested cannot be read. Not the error itself, which would count as one of the records' list.
struct NamesUnreadable: Error {
    let report: ErrorReport

    init(_ list: NamedList, _ report: ErrorReport) {
        var report = report
        report.message = "cannot read the names of \(list.words): \(report.message)"
        report.hints.append("to do without them, leave out --names")
        self.report = report
    }
}

/// Adds the names of employees, tenders, order types, items and categories to records that have only their ids. Each list
/// is read once, when a record first needs it, and counts against the rate limit like the records.
///
/// Where the names were requested, a list that cannot be read is an error. Otherwise the ids stay, and a notice says so.
actor ReferenceNames {
    private let connection: Connection
    private let environment: CommandEnvironment
    private let isRequired: Bool
    private let makeClient: @Sendable () async throws -> ServiceClient
    private var namer = ReferenceNamer()
    private var client: ServiceClient?
    /// The lists that were read, or that cannot be.
    private var known: Set<NamedList> = []
    private var notices: [String] = []

    /// - Parameters:
    ///   - isRequired: whether the user asked for the names.
    ///   - makeClient: makes the client that reads the lists, when the first one is needed: that of the records for names
    ///     that were requested, otherwise its own.
    init(
        isRequired: Bool, _ connection: Connection, in environment: CommandEnvironment,
        makeClient: @escaping @Sendable () async throws -> ServiceClient
    ) {
        self.isRequired = isRequired
        self.connection = connection
        self.environment = environment
        self.makeClient = makeClient
    }

    /// The lists whose names a run shows.
    ///
    /// - Parameters:
    ///   - plan: how the records are printed.
    ///   - model: name of the records' model; nil if it is unknown.
    static func lists(_ plan: FormatPlan, ofModel model: String?) -> Set<NamedList> {
        guard plan.showsNames, let model else { return [] }
        guard let columns = plan.columns else { return Set(NamedList.allCases) }
        return NamedList.shown(in: columns, ofModel: model)
    }

    /// The requests of its client so far.
    var statistics: ServiceClient.Statistics {
        isRequired ? ServiceClient.Statistics() : client?.statistics ?? ServiceClient.Statistics()
    }

    /// The records with names.
    ///
    /// - Parameters:
    ///   - model: name of the records' model; nil if it is unknown.
    ///   - lists: the lists whose names are shown.
    func pass(_ batch: RecordBatch, model: String?, _ lists: Set<NamedList>) async throws -> RecordBatch {
        guard let model, !lists.isEmpty else { return batch }
        let references = namer.references(in: batch, model: model, lists)
        let needed = Set(references.joined().map(\.list)).subtracting(known)
        if !needed.isEmpty {
            try await read(needed)
            known.formUnion(needed)
        }
        return namer.named(batch, references)
    }

    /// Gives the notices, after the records.
    func finish() {
        for notice in notices { environment.diagnostics.notice(notice) }
        notices = []
    }

    private func read(_ needed: Set<NamedList>) async throws {
        let client = if let client { client } else { try await makeClient() }
        self.client = client
        try await withThrowingTaskGroup(of: (NamedList, Names).self) { group in
            for list in needed { group.addTask { (list, try await self.names(of: list, client)) } }
            for try await (list, result) in group {
                namer.set(result.names, of: list)
                if let trouble = result.trouble {
                    notices.append(
                        "the names of \(list.words) are not known, so ids are shown: \(trouble); "
                            + "to show ids without asking, add --ids")
                }
            }
        }
    }

    private struct Names: Sendable {
        var names: [String: String] = [:]
        /// Why names are missing; nil if none are.
        var trouble: String?
    }

    private nonisolated func names(of list: NamedList, _ client: ServiceClient) async throws -> Names {
        var result = Names()
        let path = try ResourcePath(
            parsing: list.path, identifier: nil, merchantID: connection.merchantID, isChecked: true)
        do {
            if let problem = try await read(list, at: path, client, into: &result.names) { throw problem }
        } catch  where !(error is CancellationError) {
            try Task.checkCancellation()
            guard !isRequired else {
                let explained = try await TokenDiagnosis(connection, in: environment).explained(error, at: path)
                guard case .report(let report) = ErrorReport.ending(of: explained) else { throw explained }
                throw NamesUnreadable(list, report)
            }
            result.trouble = Self.text(error)
        }
        return result
    }

    /// - Returns: what is missing although the list was read to its end.
    private nonisolated func read(
        _ list: NamedList, at path: ResourcePath, _ client: ServiceClient, into names: inout [String: String]
    ) async throws -> CoreError? {
        // Fields that are sensitive are not used; but no secret of this run gets into a name.
        let masker = RecordMasker(
            path.endpoint, isEnvelope: false, secrets: environment.diagnostics.mask, showsFields: true)
        var pager = RecordPager(
            client: client, path: path, query: RecordQuery(), isChecked: true,
            now: environment.clock.wall())
        pager.reportsRefusals = isRequired
        let plan = PagePlan(offset: 0, limit: nil, pageSize: path.pageSize)
        let summary = try await pager.run(plan: plan) { batch in
            let batch = try masker.masked(batch)
            for record in batch.records {
                guard let id = batch.id(of: record), let name = batch.value(of: list.nameField, in: record) else {
                    continue
                }
                if !name.isEmpty { names[id] = name }
            }
            return .more
        }
        return summary.isWhole
            ? nil : .incomplete(Shortfall(path: path.display, timeField: nil, summary: summary))
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case ServiceError.unauthorized: return "the service refused the list with 401"
        case ServiceError.forbidden: return "the service refused the list with 403"
        default:
            guard case .report(let report) = ErrorReport.ending(of: error) else { return "\(error)" }
            return report.message
        }
    }
}
