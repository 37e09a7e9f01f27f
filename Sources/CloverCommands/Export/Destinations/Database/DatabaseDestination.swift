import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem
import CloverTables

/// A database: a table for each resource, and one for each nested list.
///
/// The database says itself how far it is, in the transaction that writes a window. What the state has of it is only used
/// while both agree: a database that was restored from a backup, copied, or brought from another machine continues where
/// it is.
struct DatabaseDestination: ExportDestination {
    let store: ExportStore
    let identifier: String
    private let database: TableDatabase
    private let environment: CommandEnvironment
    private let lock: ExportLock
    private let patience: DatabasePatience
    private let queue = StagingQueue()

    static let keepsFiles = false
    static let keepsRecords = true

    var name: String { database.name }

    static func isMeant(by address: String?) -> Bool { address.map(DatabaseAddress.isMeant) ?? false }

    /// Refuses options that do not apply to tables, which have all fields of the records as they are.
    static func check(_ command: Export.Run) throws {
        let address = try DatabaseAddress.parsed(command.destination.directory ?? "", of: "--to")
        if command.merchants.isGiven {
            guard case .postgreSQL = address else {
                throw ValidationError(
                    "--profiles does not apply to an SQLite database, which has the records of one merchant: export "
                        + "each sign-in of 'clover auth list' to its own, with --profile NAME --to sqlite:NAME.db")
            }
            guard address?.inSchema("") != nil else {
                throw ValidationError("--profiles needs an address without options=: each merchant has a schema")
            }
        }
        let format = command.format
        try Export.Run.refuse(
            command.fileOptions.filter { !["--with", "--accept-missing"].contains($0.name) } + [
                (command.jq.choice() != nil, "--jq"),
                (format.format != nil && format.format != .ndjson, "--format"), (!format.fields.isEmpty, "--fields"),
                (command.merchants.tagsMerchant, "--tag-merchant"),
            ], "does not apply to a database")
    }

    static func open(_ run: ExportOpening) async throws -> DatabaseDestination? {
        let state = try run.environment.stateDirectory()
        guard let typed = try DatabaseAddress.parsed(run.request.address ?? "", of: "--to") else { return nil }
        let address = try await DedicatedThread.run { () throws(TableError) in try TableDatabase.resolved(typed) }
        let lock = try await run.lock(address.name) {
            try ExportLock.tryAcquire(
                address.lockName,
                in: state.prepareSubdirectory(ExportStatus.lockFolder, rule: .own))
        }
        guard let lock else { return nil }
        let patience = DatabasePatience(name: address.name, run)
        if let schema = run.request.schema {
            try await patience.run(nil) { () throws(TableError) in try TableDatabase.makeSchema(schema, at: address) }
        }
        let isPrivate = run.request.showsSensitive
        let database = try await patience.run(nil) { () throws(TableError) in
            try TableDatabase(address, isPrivate: isPrivate)
        }
        let store = try await ExportStore.open(in: state)
        let identifier = try await identify(database, run.merchants, store, patience)
        let target = DatabaseDestination(
            store: store, identifier: identifier, database: database, environment: run.environment, lock: lock,
            patience: patience)
        for merchant in run.merchants { try await target.prepare(merchant, run.request) }
        // Only now: a run that the database refuses changes nothing that this machine knows.
        if try await store.destinations()[identifier] == nil {
            try await store.add(identifier, at: database.name)
        } else {
            try await store.meet(identifier, at: database.name)
        }
        try await target.followDatabase(run)
        return target
    }

    /// Runs `body` on a thread that may block, again when the server is back from being away.
    private func access<Value: Sendable>(
        _ body: @escaping @Sendable (TableDatabase) throws(TableError) -> Value
    ) async throws -> Value {
        try await patience.run(database) { [database] () throws(TableError) in try body(database) }
    }

    /// The id of the destination: that of the database, or the one that this machine knows if others deleted it there.
    ///
    /// - Throws: `TableError.otherMerchant` when this machine knows another merchant's exports to a database without an id.
    private static func identify(
        _ database: TableDatabase, _ merchants: [ExportMerchant], _ store: ExportStore, _ patience: DatabasePatience
    ) async throws -> String {
        let name = database.name
        let destinations = try await store.destinations()
        let found = try await patience.run(database) { () throws(TableError) in try database.identifier() }
        if let found {
            let known = destinations[found]
            let isCopy = await DedicatedThread.run {
                guard let known, known != name, let other = try? DatabaseAddress(parsing: known) else { return false }
                return TableDatabase.identifier(at: other) == found
            }
            if !isCopy { return found }
        } else if let lost = destinations.first(where: { $0.value == name })?.key,
            try await patience.run(database, { () throws(TableError) in try database.hasExports() })
        {
            for stream in try await store.streams() where stream.destination == lost {
                for merchant in merchants
                where merchant.merchantID != stream.merchant
                    || merchant.connection.environment.name != stream.environment
                {
                    throw TableError.otherMerchant(
                        path: database.path, known: stream.merchant, merchant: merchant.merchantID)
                }
            }
            return lost
        }
        return ExportDestinations.newIdentifier()
    }

    /// Takes the database for the merchant.
    private func prepare(_ merchant: ExportMerchant, _ request: ExportRequest) async throws {
        let facts = try await MerchantSettings.read(
            merchant.client, merchantID: merchant.merchantID, in: environment)
        var decimals = 0
        if let currency = facts.defaultCurrency { decimals = try Currency(code: currency).decimals }
        let zone = try request.namedZone ?? facts.timezone.map { try TimeZoneRules.named($0) }
        let shop = ShopFacts(currency: facts.defaultCurrency, decimals: decimals, zone: zone?.name)
        let (identifier, service) = (identifier, merchant.connection.environment.name)
        try await access { database throws(TableError) in
            try database.prepare(
                identifier, environment: service, merchant: merchant.merchantID, shop: shop, zone: zone)
        }
    }

    /// Sets the state to what the database says where they differ.
    private func followDatabase(_ run: ExportOpening) async throws {
        guard let merchant = run.merchants.first else { return }
        let service = merchant.connection.environment.name
        let own = run.resources.map(\.name)
        // Other machines may export other resources meanwhile: what this machine knows of them may be older than what the
        // database says.
        let names = run.request.isShared ? own : nil
        let selection = run.request.range.selection
        // A run for chosen days or times would export these alone.
        let restarted = [.last, .full].contains(selection) ? own : []
        let markers = try await access { database throws(TableError) in try database.markers(restarting: restarted) }
            .filter { names?.contains($0.resource) ?? true }
        var streams = try await ownStreams()
        let unknown = markers.map(\.resource).filter { name in !streams.contains { $0.resource == name } }
        if !unknown.isEmpty {
            try await store.ask(
                unknown, destination: identifier, environment: service, merchant: merchant.merchantID,
                profile: merchant.profile, now: environment.clock.wall())
            streams = try await ownStreams()
        }
        for stream in streams where names?.contains(stream.resource) ?? true {
            let known = try await store.position(of: stream.place)
            var marker = markers.first { $0.resource == stream.resource }
            // An earlier version believed such a marker.
            let isTakenOver = marker?.isForged == true && marker?.position == known.position
            guard known.revision != marker?.revision || isTakenOver else {
                guard let marker, marker.position != known.position else { continue }
                guard names == nil || marker.isForged else {
                    try await store.restore(
                        marker.position, revision: marker.revision, windows: marker.windows, of: stream.place)
                    continue
                }
                if let known = known.position.latest, let later = Self.later(marker, than: known) {
                    environment.diagnostics.warning(
                        "others changed clover_export in \(name): \(stream.resource) is exported up to \(later) by it, and "
                            + "up to \(InstantText.utc(milliseconds: known)) by this machine's state: continuing from there"
                    )
                }
                try await keep(known.position, of: stream)
                continue
            }
            if let forged = marker, forged.isForged, let later = Self.later(forged, than: forged.exportedAt) {
                environment.diagnostics.warning(
                    "others changed clover_export in \(name): \(stream.resource) is exported up to \(later) by it, later "
                        + "than the export that wrote it: exporting everything again")
                marker?.position = ExportPosition()
            } else if selection != .full, Self.isBehind(marker, known.position, known.plans) {
                environment.diagnostics.warning(
                    "\(name) has less of \(stream.resource) than the last export wrote, as if restored from a backup: "
                        + "exporting the rest again")
            }
            try await store.restore(
                marker?.position ?? ExportPosition(), revision: marker?.revision, windows: marker?.windows ?? [:],
                of: stream.place)
        }
    }

    /// The time up to which a resource is exported by the database, if that is later than `time`.
    static func later(_ marker: TableDatabase.Marker, than time: Int64) -> String? {
        marker.position.latest.flatMap { $0 > time ? InstantText.utc(milliseconds: $0) : nil }
    }

    /// Whether the database has less of a resource than the state knows to have written.
    static func isBehind(
        _ marker: TableDatabase.Marker?, _ known: ExportPosition, _ plans: [String: Set<Int>]
    ) -> Bool {
        (marker?.position.bookmark ?? .min) < (known.bookmark ?? .min)
            || plans.contains { plan, done in !done.isSubset(of: marker?.windows[plan] ?? []) }
    }

    private func ownStreams() async throws -> [ExportStream] {
        try await store.streams().filter { $0.destination == identifier }
    }

    /// The database has the windows of an unfinished plan, or `followDatabase` dropped the plan.
    func resumed(_ plan: ExportPlan, of stream: ExportStream) async throws -> ExportPlan? { plan }

    func writer(
        _ resource: String, model: String?, in window: WindowExport
    ) async throws -> (any WindowWriter)? {
        let part = window.resource.parts.first { window.resource.name(of: $0) == resource }
        var expansions = window.request.expand
        if let part {
            let prefix = (part.member ?? "") + "."
            expansions = expansions.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        } else {
            let moved = window.resource.parts.filter { !$0.staysInRecord }.compactMap(\.member)
            expansions.removeAll { name in moved.contains { name == $0 || name.hasPrefix($0 + ".") } }
        }
        let lists = RecordTable.lists(among: expansions, of: model)
        let stage = try await access { database throws(TableError) in
            try database.stage(resource, model: model, lists: lists)
        }
        return DatabaseWriter(stage, queue)
    }

    func commit(_ number: Int, _ window: WindowExport) async throws -> Int64? {
        let revision = try await store.position(of: window.stream.place).revision
        var written = TableDatabase.Window(
            resource: window.resource.name, plan: window.plan.identity, number: number, revision: revision,
            now: environment.clock.wall())
        written.keepsSeen = window.request.marksDeleted
        // Files of Clover's own exports may be older than the rows.
        written.replacesNewer = window.plan.range == .full && !window.plan.isOfExportAPI
        written.isWholeList = window.window.field == nil && !window.plan.isOfExportAPI
        let committed = written
        do {
            return try await access { database throws(TableError) in try database.commit(committed) }
        } catch {
            // The error that ended the window is the one to report.
            _ = await DedicatedThread.run { [database] in
                Result { () throws(TableError) in try database.discardStages() }
            }
            throw error
        }
    }

    func markDeleted(_ plan: ExportPlan, _ export: ResourceExport) async throws {
        let resource = export.resource.name
        let identity = plan.identity
        let missing = try await access { database throws(TableError) in
            try database.unseen(resource, plan: identity)
        }
        var gone: [String] = []
        do {
            for id in missing {
                if try await isGone(id, export) { gone.append(id) }
            }
        } catch is QueryError {
            environment.diagnostics.warning(
                "\(resource): Clover cannot be asked for single records, so that no deleted ones are marked")
            return
        }
        let now = environment.clock.wall()
        try await access { [gone] database throws(TableError) in
            try database.markDeleted(gone, of: resource, now: now)
        }
        if !gone.isEmpty {
            environment.diagnostics.detail("\(resource): marked \(gone.count) as deleted at Clover")
        }
    }

    /// Whether the service says that it does not have a record. One that only moved to a later time while the lists were read
    /// is there.
    private func isGone(_ id: String, _ export: ResourceExport) async throws -> Bool {
        let merchant = export.merchant
        guard let path = export.resource.path.appending([id]) else {
            let url = Redaction.url(merchant.client.url(of: export.resource.path, query: ""))
            throw ServiceError.unreadable(.unusableID(id), url: url, retries: 0)
        }
        var attempt = ServiceClient.Attempt()
        do {
            let url = merchant.client.url(path: path.encoded, query: "")
            _ = try await merchant.client.object(of: url, limit: 1 << 24, attempt: &attempt)
            return false
        } catch ServiceError.notFound {
            return true
        }
    }

    func completed(_ stream: ExportStream, isFull: Bool, coverage: TableCoverage?) async throws {
        try await keep(store.position(of: stream.place).position, of: stream, isFull: isFull, coverage)
    }

    func lostRows(of resources: [String]?) async throws -> [String: Int64] {
        try await access { database throws(TableError) in try database.lostRows(of: resources) }
    }

    func acceptLostRows(of resources: [String]) async throws -> [String: Int64] {
        try await access { database throws(TableError) in try database.acceptLostRows(of: resources) }
    }

    private func keep(
        _ position: ExportPosition, of stream: ExportStream, isFull: Bool = false, _ coverage: TableCoverage? = nil
    ) async throws {
        let plans = try await Set(store.position(of: stream.place).plans.keys)
        let now = environment.clock.wall()
        try await access { database throws(TableError) in
            try database.keep(position, of: stream.resource, plans: plans, isFull: isFull, coverage: coverage, now: now)
        }
    }
}

/// Puts the records of a window into its temporary tables.
actor DatabaseWriter: WindowWriter {
    private let stage: TableStage
    private let queue: StagingQueue
    private var report = FilterReport()

    init(_ stage: TableStage, _ queue: StagingQueue) {
        self.stage = stage
        self.queue = queue
    }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        try Task.checkCancellation()
        try await queue.add { [stage] () throws(TableError) in try stage.add(batch) }
        report.results += batch.records.count
        return .more
    }

    func addParents(_ ids: [String]) async throws {
        try await queue.add { [stage] () throws(TableError) in try stage.addParents(ids) }
    }

    func finish() async throws -> FilterReport {
        try await queue.finish()
        return report
    }

    func breakOff() async throws {}

    func discard() async throws {
        await queue.cancel()
        try await DedicatedThread.run { [stage] () throws(TableError) in try stage.discard() }
    }
}

/// Work on the rows of one window that wait, piece by piece on a separate thread, while the next records are read.
///
/// One task at a time may use it.
actor StagingQueue {
    private let thread = SerialThread(name: "clover-stage")
    private var pending: [Task<Void, any Error>] = []

    /// Each has the records of a batch. With a single one, reading and staging would wait for each other in turn.
    private static let limit = 4

    /// Begins a piece of work, which runs after those before it, unless one of them fails.
    ///
    /// - Throws: the error of one before it.
    func add(_ work: @escaping @Sendable () throws(TableError) -> Void) async throws {
        while pending.count >= Self.limit { try await pending.removeFirst().value }
        let before = pending.last
        let piece = Task { [thread] in
            try await before?.value
            let result: @Sendable () -> Result<Void, TableError> = { Result { () throws(TableError) in try work() } }
            // Without a thread, it runs here, which is better than failing.
            try await (thread.run(result) ?? result()).get()
        }
        pending.append(piece)
    }

    /// Waits until everything is done.
    ///
    /// - Throws: the error of a piece of work.
    func finish() async throws {
        while !pending.isEmpty { try await pending.removeFirst().value }
    }

    /// Waits until nothing is done any more, whether it succeeded or not.
    func cancel() async {
        for piece in pending { _ = await piece.result }
        pending = []
    }
}
