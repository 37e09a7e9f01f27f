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
    }

    private let store: FeedStore
    private let outside: Surroundings
    private var entries: [Entry]
    /// Stops when nothing changed for this long, in milliseconds; nil for never.
    private let idleTime: Int64?
    /// When the last change was seen, by the boot clock.
    private var lastChange: Int64

    /// A longer backlog is delivered in parts.
    private let partSize: Int
    /// What is known without a change is written this rarely, in milliseconds.
    private static let savingInterval: Int64 = 3_600_000

    /// - Parameters:
    ///   - longest: the longest interval between two readings of a list, in milliseconds.
    ///   - partSize: the number of changes after which a reading may end.
    package init(
        _ lists: [(source: any FeedSource, stream: FeedStream)], store: FeedStore, longest: Int64, idleTime: Int64?,
        partSize: Int = 5000, _ outside: Surroundings
    ) {
        self.store = store
        self.outside = outside
        self.idleTime = idleTime
        self.partSize = partSize
        let now = outside.boot()
        lastChange = now
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
            let due = entries.indices.filter { entries[$0].dueAt <= now }
            if due.isEmpty {
                let next = entries.map(\.dueAt).min() ?? now
                try await accept(outside.wait(Double(next - now) / 1000))
                continue
            }
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
            outside.onNotice(.read(entries.count))
            // What was reported counts before the end. Reports come in portions.
            while case let report = try await outside.wait(0), report != FeedReport() { try await accept(report) }
            if try isIdle() { return }
        }
    }

    private mutating func publish(_ streams: [FeedStream], reportedThrough position: Int64? = nil) async throws {
        guard !streams.isEmpty || position != nil else { return }
        let count = try await store.publish(streams, reportedThrough: position)
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
        let poll = stream.poll(at: now)
        if case .closing(let gap) = poll.purpose, entries[index].failure == nil {
            outside.onNotice(.gap(gap, resource: stream.resource))
        }
        var reading = Reading(isDivisible: poll.isDivisible, partSize: partSize)
        do {
            try await store.begin(stream)
            let cost = try await entries[index].source.read(poll, at: now) { records in
                outside.onNotice(.progress)
                reading.note(records)
                reading.changes += try await store.take(records, of: stream, poll, at: now)
                return reading.isPart ? .stop : .more
            }
            if poll.findsDeletions, stream.state.hasBegun {
                reading.changes += try await store.takeMissing(of: stream, poll, at: now)
            }
            let isPart = reading.isPart
            entries[index].stream.finish(
                poll, newest: reading.newest, duration: outside.boot() - began, at: now, isPart: isPart)
            entries[index].interval.note(changes: reading.changes, cost)
            entries[index].dueAt = isPart ? began : outside.boot() + entries[index].interval.current
            if !isPart { entries[index].readAt = began }
            if let failure = entries[index].failure {
                outside.onNotice(.recovered(resource: stream.resource, milliseconds: outside.boot() - failure.since))
            }
            entries[index].failure = nil
            return reading.changes
        } catch  where outside.mayPass(error) && !(error is CancellationError) {
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
        if let position = now.position, let stored = before.position {
            // Also a position that went back.
            if position < stored || position - stored > entries[index].stream.rules.overlap { return true }
        } else if now.position != before.position {
            return true
        }
        return (now.readAt ?? 0) - (before.readAt ?? 0) >= Self.savingInterval
    }

    /// Whether every list was read since nothing changed for the idle time. Otherwise, sees to it that they are.
    ///
    /// - Throws: the error of a list that could not be read for as long.
    private mutating func isIdle() throws -> Bool {
        guard let idleTime else { return false }
        let end = lastChange + idleTime
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

    /// Takes what was reported from outside.
    private mutating func accept(_ report: FeedReport) async throws {
        var changed: [FeedStream] = []
        if report.isGapped {
            for index in entries.indices where entries[index].stream.noteMissedReports() {
                entries[index].dueAt = outside.boot()
                changed.append(entries[index].stream)
            }
        }
        for hint in report.hints {
            guard let index = entries.firstIndex(where: { $0.stream.resource == hint.resource }) else { continue }
            let stream = entries[index].stream
            switch hint {
            case .changed:
                let earliest = entries[index].interval.noteReport()
                entries[index].dueAt = min(
                    entries[index].dueAt, max(outside.boot(), (entries[index].readAt ?? 0) + earliest))
            case .deleted(_, let id, let at):
                guard try await store.takeDeletion(of: id, in: stream, at: at) else { continue }
                if !changed.contains(where: { $0.resource == stream.resource }) { changed.append(stream) }
                lastChange = outside.boot()
            }
        }
        try await publish(changed, reportedThrough: report.position)
    }
}

/// What was reported since the last report.
package struct FeedReport: Sendable, Equatable {
    package var hints: [FeedHint]
    /// How far the source of the reports was read, for the store; nil if nothing came.
    package var position: Int64?
    /// Whether reports are missing, so that only a complete reading shows which records were deleted.
    package var isGapped: Bool

    package init(_ hints: [FeedHint] = [], position: Int64? = nil, isGapped: Bool = false) {
        self.hints = hints
        self.position = position
        self.isGapped = isGapped
    }
}

/// A change of a list that was reported from outside.
package enum FeedHint: Sendable, Equatable {
    /// Something in it changed: it is read at once.
    case changed(resource: String)
    /// A record was deleted at this time, in milliseconds since 1970.
    case deleted(resource: String, id: String, at: Int64)

    var resource: String {
        switch self {
        case .changed(let resource), .deleted(let resource, _, _): resource
        }
    }
}

/// What the user should know.
package enum FeedNotice: Sendable {
    case gap(FeedGap, resource: String)
    /// A list cannot be read for now.
    case failing(any Error, resource: String)
    case recovered(resource: String, milliseconds: Int64)
    /// A page came.
    case progress
    /// The lists that were due were read; there are this many.
    case read(Int)
}

/// The records of a reading so far.
private struct Reading {
    let isDivisible: Bool
    let partSize: Int
    var changes = 0
    private(set) var newest: Int64?
    /// Whether each record so far was changed no earlier than the one before.
    private var isOrdered = true

    init(isDivisible: Bool, partSize: Int) {
        self.isDivisible = isDivisible
        self.partSize = partSize
    }

    /// Whether the reading ends here: everything up to the newest record has come.
    var isPart: Bool { isDivisible && isOrdered && changes >= partSize }

    mutating func note(_ records: [SeenRecord]) {
        for record in records {
            guard let time = record.time else { continue }
            if let newest, time < newest { isOrdered = false }
            newest = max(newest ?? time, time)
        }
    }
}
