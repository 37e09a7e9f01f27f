import CloverJSON

/// Follows lists: reads them when they are due, and delivers what changed.
package struct FeedLoop {
    /// The outside world.
    package struct Surroundings: Sendable {
        /// This machine's time, and the time since it started; in milliseconds.
        package var wall: @Sendable () -> Int64
        package var boot: @Sendable () -> Int64
        /// Waits for a number of seconds, or for something to be reported: the one place where webhooks enter the feed.
        package var wait: @Sendable (_ seconds: Double) async throws -> FeedReport
        /// Delivers changes, and confirms them in the store once their reader has them.
        package var deliver: @Sendable (FeedStore) async throws -> Void
        /// Whether an error may pass by itself.
        package var mayPass: @Sendable (any Error) -> Bool
        package var onNotice: @Sendable (FeedNotice) -> Void

        package init(
            wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
            wait: @escaping @Sendable (_ seconds: Double) async throws -> FeedReport,
            deliver: @escaping @Sendable (FeedStore) async throws -> Void,
            mayPass: @escaping @Sendable (any Error) -> Bool = { _ in false },
            onNotice: @escaping @Sendable (FeedNotice) -> Void = { _ in }
        ) {
            self.wall = wall
            self.boot = boot
            self.wait = wait
            self.deliver = deliver
            self.mayPass = mayPass
            self.onNotice = onNotice
        }
    }

    private struct Entry {
        var source: any FeedSource
        var stream: FeedStream
        /// What the store has.
        var stored: FeedStream.State
        var interval: PollInterval
        /// By the boot clock, in milliseconds.
        var dueAt: Int64
        /// When the last complete reading began; nil if there was none yet.
        var readAt: Int64?
        var failure: (error: any Error, since: Int64)?
        /// A reported change that no reading has shown yet.
        var report: Report?
        /// When the last reading of any kind began.
        var lastAt: Int64 = .min / 2
        /// Whether the latest changes were read since the last usual reading, because they were reported.
        var hasShort = false

        /// A reported change, for which the latest changes are read.
        struct Report {
            /// When the record was changed; nil if that is unknown.
            var time: Int64?
            /// By the boot clock, in milliseconds.
            var dueAt: Int64
            /// If the reading shows nothing new, the next one follows after this many milliseconds.
            var pause = PollInterval.shortest
        }

        var nextAt: Int64 { min(dueAt, report?.dueAt ?? .max) }

        /// Notes that a change was reported. Times are those of the record's change, the boot clock and the wall clock.
        mutating func noteReport(_ time: Int64?, at boot: Int64, _ wall: Int64) {
            guard failure == nil, stream.shortPoll(after: time, at: wall) != nil else {
                dueAt = min(dueAt, max(boot, lastAt + interval.noteReport()))
                return
            }
            report = Report(
                time: report.map { min($0.time ?? .max, time ?? .max) } ?? time,
                dueAt: max(boot, lastAt + PollInterval.perRequest))
        }

        /// Notes that a short reading ended.
        mutating func noteShort(changes: Int, _ cost: FeedCost, at boot: Int64) {
            guard changes == 0, let pause = report?.pause, pause < interval.current else { return report = nil }
            report?.dueAt = boot + max(pause, Int64(cost.requests) * PollInterval.perRequest)
            report?.pause = 2 * pause
        }
    }

    private let store: FeedStore
    private let outside: Surroundings
    private var entries: [Entry]
    /// Stops when nothing changed for this long, in milliseconds; 0: when every list was read once to its end, whatever
    /// changed meanwhile; nil for never.
    private let idleTime: Int64?
    /// The start, by the boot clock.
    private let startedAt: Int64
    /// When the last change was seen, by the boot clock.
    private var lastChange: Int64

    /// How far the reports were taken, if the store does not know it yet. It is stored with the next changes: an earlier
    /// position only takes reports of changes again.
    private var unstored: FeedReport.Position?
    /// Reports whose position is not stored.
    private var unstoredReports = 0
    /// So that even the largest reports stay below the number of events that a listener keeps.
    private static let mostUnstored = 16

    /// How often the last moments are read at most, while each reading takes several requests.
    private static let mostReadings = 4
    /// A longer backlog is delivered in parts.
    private let partSize: Int
    private let deletionsAtOnce: Int
    /// What is known without a change is written this rarely, in milliseconds.
    private static let savingInterval: Int64 = 3_600_000

    /// - Parameters:
    ///   - longest: the longest interval between two readings of a list, in milliseconds.
    ///   - partSize: the number of changes after which a reading may end.
    ///   - deletionsAtOnce: the number of records that may be deleted and are looked up at a time.
    package init(
        _ lists: [(source: any FeedSource, stream: FeedStream)], store: FeedStore, longest: Int64, idleTime: Int64?,
        partSize: Int = 5000, deletionsAtOnce: Int = 4, _ outside: Surroundings
    ) {
        self.store = store
        self.outside = outside
        self.idleTime = idleTime
        self.partSize = partSize
        self.deletionsAtOnce = deletionsAtOnce
        let now = outside.boot()
        (startedAt, lastChange) = (now, now)
        entries = lists.map { list in
            Entry(
                source: list.source, stream: list.stream, stored: list.stream.state,
                interval: PollInterval(longest: longest), dueAt: now)
        }
    }

    /// Follows until nothing changed for the idle time, or forever.
    package mutating func run() async throws {
        // What an earlier run published and did not confirm.
        try await outside.deliver(store)
        while true {
            let now = outside.boot()
            let due = entries.indices.filter { entries[$0].nextAt <= now }
            if due.isEmpty {
                let next = entries.map(\.nextAt).min() ?? now
                try await accept(outside.wait(Double(next - now) / 1000))
                continue
            }
            // What was reported does not wait for long readings of other lists.
            let reported = due.filter { entries[$0].dueAt > now }
            try await read(reported)
            try await read(due.filter { !reported.contains($0) })
            outside.onNotice(.read(entries.count))
            // What was reported counts before the end. Reports come in portions.
            while case let report = try await outside.wait(0), report != FeedReport() { try await accept(report) }
            if try isIdle() {
                return try await publish([], withReports: true)
            }
        }
    }

    /// Reads lists, and delivers what changed in them, in order.
    private mutating func read(_ due: [Int]) async throws {
        var changes = 0
        var completed: [FeedStream] = []
        for index in due {
            try Task.checkCancellation()
            guard let count = try await read(index) else { continue }
            changes += count
            if count > 0 || mustSave(index) { completed.append(entries[index].stream) }
            // The others wait no longer than it takes to deliver what is there.
            if count >= partSize { break }
        }
        try await publish(completed)
        if changes > 0 { lastChange = outside.boot() }
    }

    /// - Parameter withReports: whether the store must know how far the reports were taken, although nothing changed.
    private mutating func publish(_ streams: [FeedStream], withReports: Bool = false) async throws {
        guard !streams.isEmpty || withReports else { return }
        let count = try await store.publish(streams, reportedThrough: unstored)
        (unstored, unstoredReports) = (nil, 0)
        for index in entries.indices where streams.contains(where: { $0.resource == entries[index].stream.resource }) {
            entries[index].stored = entries[index].stream.state
        }
        if count > 0 { try await outside.deliver(store) }
    }

    /// Reads a list.
    ///
    /// - Returns: the number of changes; nil if the reading failed and is tried again.
    private mutating func read(_ index: Int) async throws -> Int? {
        let (began, now) = (outside.boot(), outside.wall())
        let stream = entries[index].stream
        let report = entries[index].dueAt > began ? entries[index].report : nil
        let poll = report.flatMap { stream.shortPoll(after: $0.time, at: now) } ?? stream.poll(at: now)
        entries[index].lastAt = began
        if case .closing(let gap) = poll.purpose, entries[index].failure == nil {
            outside.onNotice(.gap(gap, resource: stream.resource))
        }
        var reading = Reading(isDivisible: poll.isDivisible, partSize: partSize)
        do {
            try await store.begin(stream)
            var (request, cost) = (poll, FeedCost(requests: 0))
            for _ in 0..<Self.mostReadings {
                let part = try await entries[index].source.read(request, at: now) { records in
                    outside.onNotice(.progress)
                    reading.note(records)
                    // What was changed just now would have been reported, too.
                    let old = records.prefix { ($0.time ?? .min) < now - FeedStream.shortOverlap }
                    reading.late += try await store.take(Array(old), of: stream, request, at: now)
                    let fresh = try await store.take(
                        Array(records.dropFirst(old.count)), of: stream, request, at: now)
                    reading.fresh += fresh
                    // Of a list that keeps changing, the end would be asked for again and again.
                    if fresh > 0, idleTime != 0 { reading.reachesNow = true }
                    return reading.isPart ? .stop : .more
                }
                cost.requests += part.requests
                cost.secondsWaited += part.secondsWaited
                // A list that is not in order of change: while one page was read, records of an earlier one can have
                // changed. They come before what later pages show, so that the last moments are read again.
                guard stream.rules.isWindowed, part.requests > 1, reading.changes > 0, let newest = reading.newest
                else { break }
                request = poll.again(from: newest - (outside.boot() - began))
            }
            if poll.findsDeletions, stream.state.hasBegun {
                reading.late += try await takeMissing(index, poll, at: now)
            }
            let isPart = reading.isPart
            entries[index].stream.finish(
                poll, newest: reading.newest, duration: outside.boot() - began, at: now, isPart: isPart)
            if poll.isShort {
                entries[index].noteShort(changes: reading.changes, cost, at: outside.boot())
                entries[index].hasShort = true
            } else {
                entries[index].report = nil
                // While reports bring the changes, the usual readings, which are long, become rare.
                entries[index].interval.note(
                    changes: entries[index].hasShort ? reading.late : reading.changes, cost)
                entries[index].hasShort = false
                entries[index].dueAt =
                    isPart && !reading.reachesNow ? began : outside.boot() + entries[index].interval.current
                if !isPart { entries[index].readAt = began }
            }
            if let failure = entries[index].failure {
                outside.onNotice(.recovered(resource: stream.resource, milliseconds: outside.boot() - failure.since))
            }
            entries[index].failure = nil
            return reading.changes
        } catch  where outside.mayPass(error) && !(error is CancellationError) {
            // What half a reading showed must not be published with the deletion that a webhook reports.
            try await store.begin(stream)
            // The next reading is a usual one.
            entries[index].report = nil
            entries[index].interval.noteFailure()
            entries[index].dueAt = outside.boot() + entries[index].interval.current
            if entries[index].failure == nil {
                outside.onNotice(.failing(error, resource: stream.resource))
            }
            entries[index].failure = (error, entries[index].failure?.since ?? began)
            return nil
        }
    }

    /// Whether the store must know the state of a list although nothing changed. An older position is as good, because
    /// what is known is dropped.
    private func mustSave(_ index: Int) -> Bool {
        let (now, before) = (entries[index].stream.state, entries[index].stored)
        guard now != before else { return false }
        if now.hasBegun != before.hasBegun || now.completeAt != before.completeAt { return true }
        if now.missesReports != before.missesReports { return true }
        if let position = now.position, let stored = before.position {
            // Also a position that went back.
            if position < stored || position - stored > entries[index].stream.rules.overlap { return true }
        } else if now.position != before.position {
            return true
        }
        return (now.readAt ?? 0) - (before.readAt ?? 0) >= Self.savingInterval
    }

    /// Whether every list was read since nothing changed for the idle time, or once, if that is 0. Otherwise, sees to it that they are.
    ///
    /// - Throws: the error of a list that could not be read for as long.
    private mutating func isIdle() throws -> Bool {
        guard let idleTime else { return false }
        let end = idleTime == 0 ? startedAt : lastChange + idleTime
        for index in entries.indices { entries[index].dueAt = min(entries[index].dueAt, max(end, outside.boot())) }
        if entries.allSatisfy({
            $0.readAt ?? .min >= end && $0.failure == nil && !$0.stream.state.missesReports
        }) {
            return true
        }
        let now = outside.boot()
        for entry in entries {
            if let failure = entry.failure, now >= end, now - failure.since >= idleTime { throw failure.error }
        }
        return false
    }

    /// Makes changes of the known records that a complete reading did not show, if they are gone: a page can lack records.
    ///
    /// - Returns: their number.
    private func takeMissing(_ index: Int, _ poll: FeedPoll, at now: Int64) async throws -> Int {
        let stream = entries[index].stream
        let missing = try await store.missing(of: stream, poll)
        var gone = missing
        if entries[index].source.looksUpRecords {
            let found = try await lookUp(Set(missing.map { Deletion(index: index, id: $0) })) { _ in false }
            gone = missing.filter { found[Deletion(index: index, id: $0)] == true }
        }
        if gone.count < missing.count {
            outside.onNotice(.omitted(missing.count - gone.count, resource: stream.resource))
        }
        return try await store.takeMissing(gone, of: stream, at: now)
    }

    /// A record that was reported as deleted, or did not come.
    private struct Deletion: Hashable {
        /// The place of its list.
        var index: Int
        var id: String
    }

    /// Which records that were reported as deleted are gone: anyone who knows the listener's secret can report that, and a
    /// webhook can be late. Records of which that cannot be found out for now are not in the result. Webhooks come twice.
    private func gone(_ hints: [FeedHint]) async throws -> [Deletion: Bool] {
        var rest: Set<Deletion> = []
        for case .deleted(let resource, let id, _) in hints {
            guard let index = entries.firstIndex(where: { $0.stream.resource == resource }) else { continue }
            if try await store.knowsDeletion(of: id, in: entries[index].stream) { continue }
            rest.insert(Deletion(index: index, id: id))
        }
        return try await lookUp(rest, mayFail: outside.mayPass)
    }

    /// Looks records up, several at a time. Those whose request failed with an error that may be ignored are not in the result.
    private func lookUp(
        _ deletions: Set<Deletion>, mayFail: @escaping @Sendable (any Error) -> Bool
    ) async throws -> [Deletion: Bool] {
        var rest = deletions
        return try await withThrowingTaskGroup(of: (Deletion, Bool?).self) { group in
            var (found, running): ([Deletion: Bool], Int) = ([:], 0)
            while true {
                while running < deletionsAtOnce, let deletion = rest.popFirst() {
                    running += 1
                    group.addTask { [source = entries[deletion.index].source] in
                        do {
                            return (deletion, try await source.isGone(deletion.id))
                        } catch  where mayFail(error) && !(error is CancellationError) {
                            return (deletion, nil)
                        }
                    }
                }
                guard let (deletion, isGone) = try await group.next() else { return found }
                running -= 1
                found[deletion] = isGone
            }
        }
    }

    /// Takes what was reported from outside.
    private mutating func accept(_ report: FeedReport) async throws {
        var changed: [FeedStream] = []
        let gone = try await gone(report.hints)
        if report.isGapped {
            for index in entries.indices where entries[index].stream.noteMissedReports() {
                entries[index].dueAt = outside.boot()
                changed.append(entries[index].stream)
            }
        }
        // Lists that another run follows with the same state.
        var others: Set<String> = []
        for hint in report.hints {
            guard let index = entries.firstIndex(where: { $0.stream.resource == hint.resource }) else {
                if case .deleted = hint { others.insert(hint.resource) }
                continue
            }
            let stream = entries[index].stream
            switch hint {
            case .changed(_, let time):
                entries[index].noteReport(time, at: outside.boot(), outside.wall())
            case .deleted(_, let id, let at):
                // Webhooks come twice.
                if try await store.knowsDeletion(of: id, in: stream) { continue }
                switch gone[Deletion(index: index, id: id)] {
                case true?: break
                case false?:
                    // The report is wrong, or old: the record was made again since.
                    entries[index].noteReport(at, at: outside.boot(), outside.wall())
                    continue
                case nil:
                    if entries[index].stream.noteMissedReports(),
                        !changed.contains(where: { $0.resource == stream.resource })
                    {
                        entries[index].dueAt = outside.boot()
                        changed.append(entries[index].stream)
                    }
                    continue
                }
                guard try await store.takeDeletion(of: id, in: stream, at: at) else { continue }
                if !changed.contains(where: { $0.resource == stream.resource }) { changed.append(stream) }
                lastChange = outside.boot()
            }
        }
        if report.isGapped || !others.isEmpty {
            try await store.noteMissedReports(
                of: report.isGapped ? nil : others, besides: entries.map(\.stream.resource))
        }
        if let position = report.position {
            unstored = position
            unstoredReports += 1
        }
        try await publish(
            changed, withReports: report.isGapped || !others.isEmpty || unstoredReports > Self.mostUnstored)
    }
}

/// What was reported since the last report.
package struct FeedReport: Sendable, Equatable {
    package var hints: [FeedHint]
    /// How far the source of the reports was read, for the store; nil if nothing came.
    package var position: Position?
    /// Whether reports are missing, so that only a complete reading shows which records were deleted.
    package var isGapped: Bool

    /// A place in what reports.
    package struct Position: Sendable, Equatable {
        package var number: Int64
        /// What the number counts in; nil if there is nothing yet, or if it is not known.
        package var source: Int64?

        package init(number: Int64, source: Int64? = nil) {
            (self.number, self.source) = (number, source)
        }
    }

    package init(_ hints: [FeedHint] = [], position: Position? = nil, isGapped: Bool = false) {
        self.hints = hints
        self.position = position
        self.isGapped = isGapped
    }
}

/// A change of a list that was reported from outside.
package enum FeedHint: Sendable, Equatable {
    /// Something in it changed at this time, in milliseconds since 1970, if that is known: it is read at once.
    case changed(resource: String, at: Int64?)
    /// A record was deleted at this time, in milliseconds since 1970.
    case deleted(resource: String, id: String, at: Int64)

    var resource: String {
        switch self {
        case .changed(let resource, _), .deleted(let resource, _, _): resource
        }
    }
}

/// What the user should know.
package enum FeedNotice: Sendable {
    case gap(FeedGap, resource: String)
    /// A list cannot be read for now.
    case failing(any Error, resource: String)
    case recovered(resource: String, milliseconds: Int64)
    /// A complete reading lacked this many records that are there.
    case omitted(Int, resource: String)
    /// A page came.
    case progress
    /// The lists that were due were read; there are this many.
    case read(Int)
}

/// The records of a reading so far.
private struct Reading {
    let isDivisible: Bool
    let partSize: Int
    /// Changes that were made within the last seconds before the reading, or during it; and earlier ones.
    var fresh = 0
    var late = 0
    /// Whether a change of the last seconds was read.
    var reachesNow = false
    private(set) var newest: Int64?
    private var oldest: Int64?
    /// Whether each record so far was changed no earlier than the one before.
    private var isOrdered = true

    init(isDivisible: Bool, partSize: Int) {
        self.isDivisible = isDivisible
        self.partSize = partSize
    }

    var changes: Int { fresh + late }

    /// Whether the reading ends here: everything up to the newest record has come.
    var isPart: Bool {
        guard isDivisible, isOrdered else { return false }
        // Records of a single time do not show in which order they come.
        return changes >= partSize || reachesNow && oldest != newest
    }

    mutating func note(_ records: [SeenRecord]) {
        for record in records {
            guard let time = record.time else { continue }
            if let newest, time < newest { isOrdered = false }
            newest = max(newest ?? time, time)
            oldest = oldest ?? time
        }
    }
}
