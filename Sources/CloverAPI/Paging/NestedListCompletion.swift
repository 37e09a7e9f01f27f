import CloverRecords

/// Completes nested lists that Clover truncated at 100 entries (Clover: paginating elements): reads them separately and
/// inserts the rest.
struct NestedListCompletion: Sendable {
    let client: ServiceClient
    /// The path that the records were read from.
    let path: ResourcePath
    let expand: [String]
    let now: Int64

    /// How many records of a batch are completed in parallel.
    private static let sideBySide = 4

    struct Report: Sendable {
        var completed = 0
        var cut: [RecordPager.CutRecord] = []
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
        /// The completed record; nil if it is unchanged.
        var bytes: [UInt8]?
        /// The number of lists that were completed, not counting lists inside their entries.
        var completed = 0
        var cut: [RecordPager.CutRecord] = []
        /// Invalid UTF-8 sequences replaced in new entries.
        var replacements = 0

        /// Records a truncated list; one that occurs in many entries of the record is recorded once.
        mutating func add(_ reason: RecordPager.CutRecord.Reason, _ list: String, of id: String?) {
            guard !cut.contains(where: { $0.list == list }) else { return }
            cut.append(RecordPager.CutRecord(id: id, list: list, reason: reason))
        }
    }

    private func complete(_ suspects: [Int], of batch: RecordBatch) async throws -> [Int: Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            defer { group.cancelAll() }
            var outcomes: [Int: Outcome] = [:]
            for (place, index) in suspects.enumerated() {
                if place >= Self.sideBySide, let (done, outcome) = try await group.next() { outcomes[done] = outcome }
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
        var splice = RecordSplice(record)
        for list in record.withUnsafeBytes({ CutListFinder.lists(in: $0) }) {
            let name = list.names.joined(separator: ".")
            var reason: RecordPager.CutRecord.Reason?
            do {
                if let place = NestedListPlace.path(of: list, in: path) {
                    let (entries, summary) = try await read(place, names: name)
                    if let entries, entries.records.count >= list.entries.count {
                        let isChanged = splice.put(entries, in: list)
                        if isChanged { outcome.replacements += entries.records.reduce(0) { $0 + $1.replacements } }
                        // Lists inside the new entries were completed while reading, or not: these are reported
                        // separately.
                        for inner in summary.cutRecords { outcome.add(inner.reason, "\(name).\(inner.list)", of: id) }
                        if !summary.gapsNear.isEmpty || summary.windows.contains(where: { $0.failure != nil }) {
                            reason = .failed("not read to its end")
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
                reason = .failed(error.brief)
            }
            if let reason { outcome.add(reason, name, of: id) }
        }
        outcome.bytes = splice.result
        return outcome
    }

    /// Reads all entries of a list; nil if they exceed the size limit of a record.
    private func read(_ place: ResourcePath, names: String) async throws -> (RecordBatch?, RecordPager.Summary) {
        var query = RecordQuery()
        query.expand = expand.filter { $0.hasPrefix(names + ".") }.map { String($0.dropFirst(names.count + 1)) }
        let pager = RecordPager(client: client, path: place, query: query, isChecked: false, now: now)
        let plan = PagePlan(offset: 0, limit: nil, pageSize: place.endpoint?.maximumPage ?? 1000)
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

extension RecordBatch {
    /// Adds the records of another batch.
    fileprivate mutating func append(_ other: RecordBatch) {
        let start = bytes.count
        bytes += other.bytes
        records += other.records.map {
            Record(
                range: $0.range.lowerBound + start..<$0.range.upperBound + start, replacements: $0.replacements)
        }
    }
}
