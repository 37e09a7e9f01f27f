import CloverJSON

/// Completes nested lists that Clover truncated at 100 entries (Clover: paginating elements): reads them separately and
/// inserts the rest.
package struct NestedListCompletion: Sendable {
    let client: ServiceClient
    let path: ResourcePath
    let expand: [String]
    let now: Int64
    /// Whether a list inside an entry that cannot be completed ends the reading of the entries.
    var requiresAll = false
    /// Whether a record is a whole response: its own `elements` are a page, which is not completed.
    var isOfPages = false

    /// How many records of a batch are completed in parallel.
    private static let parallelism = 4

    package init(client: ServiceClient, path: ResourcePath, expand: [String], now: Int64) {
        self.client = client
        self.path = path
        self.expand = expand
        self.now = now
    }

    struct Report: Sendable {
        var completed = 0
        var cut: [RecordPager.TruncatedRecord] = []
        /// The first record that could not be completed, by its index in the batch.
        var failure: (index: Int, error: TruncatedListError)?
    }

    /// Completes the records of the batch. Records that cannot be completed stay unchanged and are reported.
    func complete(_ batch: inout RecordBatch) async throws -> Report {
        var report = Report()
        let suspects = batch.bytes.withUnsafeBytes { bytes in
            batch.records.indices.filter {
                NestedListScan.mayBeCut(UnsafeRawBufferPointer(rebasing: bytes[batch.records[$0].range]))
            }
        }
        guard !suspects.isEmpty else { return report }
        let outcomes = try await complete(suspects, of: batch)
        var whole = RecordBatch()
        for index in batch.records.indices {
            let outcome = outcomes[index]
            if let outcome {
                report.completed += outcome.completed
                report.cut += outcome.cut
                if report.failure == nil, let first = outcome.cut.first {
                    report.failure = (index, TruncatedListError(record: first, cause: outcome.cause))
                }
            }
            let record = batch.records[index]
            if let outcome, let bytes = outcome.bytes {
                bytes.withUnsafeBytes { whole.append($0, replacements: record.replacements + outcome.replacements) }
            } else {
                batch.bytes.withUnsafeBytes {
                    whole.append(
                        UnsafeRawBufferPointer(rebasing: $0[record.range]), replacements: record.replacements)
                }
            }
        }
        batch = whole
        return report
    }

    private struct Outcome: Sendable {
        var bytes: [UInt8]?
        /// The number of lists that were completed, not counting lists inside their entries.
        var completed = 0
        var cut: [RecordPager.TruncatedRecord] = []
        /// Why the first of these was not completed; nil if no request failed.
        var cause: ServiceError?
        /// Invalid UTF-8 sequences replaced in new entries.
        var replacements = 0

        /// Records a truncated list; one that occurs in many entries of the record is recorded once.
        mutating func add(
            _ reason: RecordPager.TruncatedRecord.Reason, _ list: String, of id: String?, cause: ServiceError? = nil
        ) {
            guard !cut.contains(where: { $0.list == list }) else { return }
            if cut.isEmpty { self.cause = cause }
            cut.append(RecordPager.TruncatedRecord(id: id, list: list, reason: reason))
        }
    }

    private func complete(_ suspects: [Int], of batch: RecordBatch) async throws -> [Int: Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            defer { group.cancelAll() }
            var outcomes: [Int: Outcome] = [:]
            for (place, index) in suspects.enumerated() {
                if place >= Self.parallelism, let (done, outcome) = try await group.next() { outcomes[done] = outcome }
                let record = Array(batch.bytes[batch.records[index].range])
                let id = batch.id(of: batch.records[index])
                group.addTask { (index, try await completed(record, id: id)) }
            }
            while let (done, outcome) = try await group.next() { outcomes[done] = outcome }
            return outcomes
        }
    }

    private func completed(_ record: [UInt8], id: String?) async throws -> Outcome {
        var outcome = Outcome()
        var splice = NestedListReplacer(record)
        for list in record.withUnsafeBytes({ TruncatedListFinder.lists(in: $0) }) {
            if isOfPages, list.names.isEmpty { continue }
            let id = id ?? list.ownerID
            let name = list.names.joined(separator: ".")
            var reason: RecordPager.TruncatedRecord.Reason?
            var cause: ServiceError?
            do {
                if let place = NestedListPath.path(of: list, in: path) {
                    let (entries, summary) = try await read(place, names: name)
                    if let entries, entries.records.count >= list.entries.count {
                        let isChanged = splice.put(entries, in: list)
                        if isChanged { outcome.replacements += entries.records.reduce(0) { $0 + $1.replacements } }
                        // Lists inside the new entries were completed while reading, or not: these are reported
                        // separately.
                        for inner in summary.truncatedRecords {
                            outcome.add(inner.reason, "\(name).\(inner.list)", of: id)
                        }
                        if !summary.gapsNear.isEmpty || summary.windows.contains(where: { $0.failure != nil }) {
                            reason = .failed("not read completely")
                        } else if isChanged {
                            outcome.completed += 1
                        }
                    } else {
                        reason = entries == nil ? .tooLarge : .shorter
                    }
                } else {
                    reason = .noEndpoint
                }
            } catch let error as ServiceError {
                (reason, cause) = (.failed(error.brief), error)
            } catch let error as TruncatedListError {
                outcome.add(error.record.reason, "\(name).\(error.record.list)", of: id, cause: error.cause)
            }
            if let reason { outcome.add(reason, name, of: id, cause: cause) }
        }
        outcome.bytes = splice.result
        return outcome
    }

    /// A list as an array of JSON; nil if it could not be read completely, with the reason.
    package typealias SeparateList = (list: [UInt8]?, reason: String)

    /// Reads a list of records that lack it.
    ///
    /// - Parameters:
    ///   - name: an expansion of the records: `lineItems`.
    ///   - ids: of the records.
    /// - Returns: the lists by the ids of their records.
    package func lists(_ name: String, of ids: [String]) async throws -> [String: SeparateList] {
        try await withThrowingTaskGroup(of: (String, SeparateList).self) { group in
            defer { group.cancelAll() }
            var lists: [String: SeparateList] = [:]
            for (place, id) in ids.enumerated() {
                if place >= Self.parallelism, let (done, list) = try await group.next() { lists[done] = list }
                group.addTask { (id, try await separateList(name, of: id)) }
            }
            while let (done, list) = try await group.next() { lists[done] = list }
            return lists
        }
    }

    private func separateList(_ name: String, of id: String) async throws -> SeparateList {
        let list = TruncatedList(names: [name], ownerID: id, inside: 0..<0, entries: [])
        guard let place = NestedListPath.path(of: list, in: path) else {
            return (nil, "they cannot be read separately")
        }
        do {
            let (entries, summary) = try await read(place, names: name)
            guard let entries, summary.isWhole else { return (nil, "they were not read completely") }
            let texts = entries.records.map { entries.bytes[$0.range] }
            return (Array("[".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8), "")
        } catch let error as ServiceError {
            return (nil, error.brief)
        }
    }

    /// Reads all entries of a list; nil if they exceed the size limit of a record.
    private func read(_ place: ResourcePath, names: String) async throws -> (RecordBatch?, RecordPager.Summary) {
        var query = RecordQuery()
        query.expand = expand.filter { $0.hasPrefix(names + ".") }.map { String($0.dropFirst(names.count + 1)) }
        var pager = RecordPager(client: client, path: place, query: query, isChecked: false, now: now)
        pager.requiresAll = requiresAll
        let plan = PagePlan(offset: 0, limit: nil, pageSize: place.pageSize)
        var entries = RecordBatch()
        var isTooLarge = false
        let summary = try await pager.run(plan: plan) { batch in
            entries.append(batch)
            isTooLarge = entries.bytes.count > PageScanner.recordLimit
            return isTooLarge ? .stop : .more
        }
        return (isTooLarge ? nil : entries, summary)
    }
}

/// A record whose nested list Clover truncated, and which could not be completed.
package struct TruncatedListError: Error, Sendable {
    package let record: RecordPager.TruncatedRecord
    /// Why the list could not be read separately; nil if no request failed.
    package let cause: ServiceError?
}

extension RecordBatch {
    fileprivate mutating func append(_ other: RecordBatch) {
        let start = bytes.count
        bytes += other.bytes
        records += other.records.map {
            Record(
                range: $0.range.lowerBound + start..<$0.range.upperBound + start, replacements: $0.replacements)
        }
    }
}

/// Finds the path where the entries of a nested list can be read separately, in pages.
enum NestedListPath {
    /// The first path segment of the list's owner, by the record's model or by the member that holds the owner.
    private static let families: [String: String] = [
        "order.Order": "orders", "order": "orders", "orders": "orders",
        "employees.Employee": "employees", "employee": "employees", "employees": "employees", "owner": "employees",
        "overrideInEmployee": "employees", "overrideOutEmployee": "employees",
        "inventory.Item": "items", "item": "items", "items": "items",
        "inventory.Category": "categories", "categories": "categories",
        "inventory.ModifierGroup": "modifier_groups", "modifierGroup": "modifier_groups",
        "modifierGroups": "modifier_groups",
        "inventory.Tag": "tags", "tags": "tags",
        "inventory.TaxRate": "tax_rates", "taxRates": "tax_rates",
        "inventory.Attribute": "attributes", "attributes": "attributes",
        "device.Device": "devices", "device": "devices", "devices": "devices",
    ]

    /// The path of a list in a record that was read from `path`; nil if the catalogue has none.
    static func path(of list: TruncatedList, in path: ResourcePath) -> ResourcePath? {
        guard path.segments.count > 2, path.segments.starts(with: ["v3", "merchants"]), let name = list.names.last
        else { return nil }
        var segments = Array(path.segments.prefix(3))
        let owner = list.names.dropLast().last ?? path.endpoint?.model
        if owner != "merchant.Merchant" {
            guard let owner, let family = families[owner], let id = list.ownerID, !id.contains("/")
            else { return nil }
            segments += [family, id]
        }
        segments.append(snakeCase(name))
        guard EndpointCatalogue.endpoint(at: segments)?.shape == .list else { return nil }
        do {
            return try ResourcePath(
                parsing: "/" + segments.joined(separator: "/"), identifier: nil, merchantID: path.segments[2],
                isChecked: true)
        } catch {
            // The id is not valid in a path.
            return nil
        }
    }

    /// Member names use camel case, paths snake case.
    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}

/// Replaces truncated lists in a record by complete ones.
struct NestedListReplacer {
    private let record: [UInt8]
    private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

    init(_ record: [UInt8]) {
        self.record = record
    }

    var result: [UInt8]? {
        guard !changes.isEmpty else { return nil }
        // A list that is replaced entirely includes the changes inside it.
        let outer = changes.filter { change in
            !changes.contains {
                $0.range != change.range && $0.range.lowerBound <= change.range.lowerBound
                    && change.range.upperBound <= $0.range.upperBound && !$0.range.isEmpty
            }
        }
        var bytes = record
        for change in outer.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(change.range, with: change.bytes)
        }
        return bytes
    }

    /// Keeps the bytes of entries that are already there and appends the others. If the entries differ or are in
    /// another order, replaces the whole list.
    ///
    /// - Returns: whether the list changed.
    mutating func put(_ entries: RecordBatch, in list: TruncatedList) -> Bool {
        if hasSameBeginning(entries, as: list) {
            let rest = entries.records.dropFirst(list.entries.count)
            guard !rest.isEmpty else { return false }
            let end = list.entries.last?.upperBound ?? list.inside.upperBound
            changes.append((end..<end, rest.flatMap { [UInt8(ascii: ",")] + entries.bytes[$0.range] }))
        } else {
            let all = entries.records.map { entries.bytes[$0.range] }
            changes.append((list.inside, Array(all.joined(separator: [UInt8(ascii: ",")]))))
        }
        return true
    }

    private func hasSameBeginning(_ entries: RecordBatch, as list: TruncatedList) -> Bool {
        var first = RecordBatch()
        record.withUnsafeBytes { bytes in
            for entry in list.entries { first.append(UnsafeRawBufferPointer(rebasing: bytes[entry])) }
        }
        return zip(first.records, entries.records).allSatisfy { known, fetched in
            if let id = first.id(of: known) { return id == entries.id(of: fetched) }
            return first.bytes[known.range] == entries.bytes[fetched.range]
        }
    }
}
