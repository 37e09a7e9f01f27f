/// How the changes of one resource are found.
package struct FeedRules: Sendable, Equatable {
    /// The time of the last change, which the list can be filtered by; nil for a list that is read completely and
    /// compared with what is known.
    package var changeField: String?
    /// The time of creation. A list with a time of change and without this one is read once in full at the beginning, so
    /// that new records can be distinguished from changed ones.
    package var creationField: String?
    /// Whether one request returns at most 90 days of the list, by creation time. Then most readings ask for changes of
    /// recent records only, and some for those of all.
    package var isWindowed = false
    /// How far before the last known change a reading begins, in milliseconds. Records with the same time, and records
    /// that become visible after later ones, are found by it.
    package var overlap: Int64
    /// How often the list is read completely to find deletions, in milliseconds; nil for never.
    package var completeEvery: Int64?

    package init(
        changeField: String?, creationField: String? = nil, isWindowed: Bool = false, overlap: Int64,
        completeEvery: Int64? = nil
    ) {
        self.changeField = changeField
        self.creationField = creationField
        self.isWindowed = isWindowed
        self.overlap = overlap
        self.completeEvery = completeEvery
    }

    /// Whether the list has to be read in full at the beginning, to tell new records from changed ones.
    var hasBaseline: Bool { creationField == nil }

    /// Whether all records are known, so that a complete reading finds the deletion of each.
    var knowsAll: Bool { hasBaseline || completeEvery != nil }
}

/// Why it is not certain that every change was seen. Closed by reading everything again.
package enum FeedGap: Sendable, Equatable {
    /// The state was lost: what was delivered is unknown.
    case stateLost
    /// The clock was set back by this many milliseconds: what changed while it was wrong may have been passed over.
    case clockSetBack(milliseconds: Int64)
    /// Nothing was read for this many milliseconds, longer than the service's lists go back.
    case outage(milliseconds: Int64)
    /// Reports of deletions were dropped before they were read, came to a run that did not follow the list, or could not
    /// be followed up.
    case reportsMissed
}

/// One reading of a list: what to ask for, and what to do with the records.
package struct FeedPoll: Sendable, Equatable {
    package enum Purpose: Sendable, Equatable {
        /// The first reading. It learns what exists.
        case beginning
        case changes
        /// Everything is read and compared.
        case comparison
        case closing(FeedGap)
    }

    package var purpose: Purpose
    /// Only records changed at this time or later; milliseconds since 1970. Nil for the complete list.
    package var from: Int64?
    /// Whether records of any age are asked for, where the service limits the history.
    package var isDeep = true
    /// Records that were changed before this time are noted, but not delivered. Nil delivers all.
    package var deliversFrom: Int64?
    /// Whether a known record that does not come was deleted.
    package var findsDeletions = false
    /// Whether the reading may end after a part that is in order of change.
    package var isDivisible = false
    /// Whether only the latest changes are asked for, because one was reported. The position stays where it is.
    package var isShort = false

    package init(
        purpose: Purpose, from: Int64? = nil, deliversFrom: Int64? = nil, findsDeletions: Bool = false
    ) {
        self.purpose = purpose
        self.from = from
        self.deliversFrom = deliversFrom
        self.findsDeletions = findsDeletions
    }

    /// The latest changes, as a part of the same reading.
    func again(from time: Int64) -> FeedPoll {
        var poll = FeedPoll(purpose: .changes, from: max(from ?? .min, time), deliversFrom: deliversFrom)
        (poll.isDeep, poll.isShort) = (false, true)
        return poll
    }
}

/// What is known of one followed resource, and the next reading of its list. No input or output.
///
/// The position is the time of the latest change that was seen, by the service's clock, but never later than this
/// machine's clock: a record with a time in the future must not hide what is changed until then. A reading begins at the
/// position less the overlap, and what is already known is dropped. So the position only has to be early enough.
package struct FeedStream: Sendable, Equatable {
    /// What survives a restart. Times are milliseconds since 1970.
    package struct State: Sendable, Equatable {
        /// Changes before this time are not delivered; nil until it is known.
        package var floor: Int64?
        package var position: Int64?
        /// The position for records of any age, where the service limits the history.
        package var deepPosition: Int64?
        package var hasBegun = false
        /// This machine's time of the last reading, the last one of records of any age, and the last complete one.
        package var readAt: Int64?
        package var deepReadAt: Int64?
        package var completeAt: Int64?
        /// Whether the state was lost, and everything must be delivered.
        package var isLost = false
        /// Whether reports of deletions are missing, and the list must be read completely.
        package var missesReports = false

        package init() {}
    }

    /// The path of the list, such as `orders`.
    package let resource: String
    package let rules: FeedRules
    package internal(set) var state: State
    /// The time of the latest change that a reading showed, but never later than this machine's clock; nil before the
    /// first reading of this run.
    private var newest: Int64?

    package init(_ resource: String, _ rules: FeedRules, state: State = State()) {
        self.resource = resource
        self.rules = rules
        self.state = state
    }

    /// The clock may be set back by this much in normal operation.
    static let clockSlack: Int64 = 60_000
    /// The first reading looks back this far for the latest change, in case this machine's clock is ahead.
    static let clockAllowance: Int64 = day
    /// A list with limited history is read in windows of 89 days. A reading ends two days ahead, for different clocks and
    /// what is changed meanwhile, and has to fit into one window.
    package static let recent: Int64 = 87 * day
    /// How far before a reported change a short reading begins.
    static let shortOverlap: Int64 = 5000
    /// How often changes of records of any age are asked for, where the service limits the history.
    static let deepInterval: Int64 = 900_000
    private static let day: Int64 = 86_400_000

    /// The next reading.
    ///
    /// - Parameter now: this machine's time.
    package func poll(at now: Int64) -> FeedPoll {
        guard state.hasBegun else { return beginning(at: now) }
        guard rules.changeField != nil else { return FeedPoll(purpose: .comparison, findsDeletions: true) }
        let position = state.position ?? 0
        if position > now + Self.clockSlack {
            return complete(.closing(.clockSetBack(milliseconds: position - now)))
        }
        if rules.isWindowed, let readAt = state.readAt, now - readAt > Self.recent {
            return complete(.closing(.outage(milliseconds: now - readAt)))
        }
        if state.missesReports { return complete(.closing(.reportsMissed)) }
        if let interval = rules.completeEvery, Self.isDue(state.completeAt, every: interval, at: now) {
            return complete(.comparison)
        }
        var poll = FeedPoll(purpose: .changes, from: position - rules.overlap, deliversFrom: state.floor)
        poll.isDeep = rules.isWindowed && isDeepDue(at: now)
        if poll.isDeep { poll.from = min(position, state.deepPosition ?? position) - rules.overlap }
        poll.isDivisible = !rules.isWindowed
        return poll
    }

    /// A reading of the latest changes, after one was reported; nil if only a usual reading shows it.
    ///
    /// The usual readings are not replaced: they begin earlier, and find what becomes visible late.
    ///
    /// - Parameters:
    ///   - time: when the record was changed, as reported; nil if that is unknown.
    ///   - now: this machine's time.
    package func shortPoll(after time: Int64?, at now: Int64) -> FeedPoll? {
        var poll = poll(at: now)
        guard poll.purpose == .changes, let from = poll.from, let newest else { return nil }
        poll.from = max(from, min(newest, time ?? newest, now) - Self.shortOverlap)
        (poll.isDeep, poll.isDivisible, poll.isShort) = (false, false, true)
        return poll
    }

    private func isDeepDue(at now: Int64) -> Bool {
        Self.isDue(state.deepReadAt, every: Self.deepInterval, at: now)
    }

    /// Whether a reading is due. The last one is in the future if the clock was set back since.
    private static func isDue(_ last: Int64?, every interval: Int64, at now: Int64) -> Bool {
        guard let last else { return true }
        return now < last || now - last >= interval
    }

    private func beginning(at now: Int64) -> FeedPoll {
        var poll = FeedPoll(purpose: state.isLost ? .closing(.stateLost) : .beginning)
        guard rules.changeField != nil else {
            // A list without a time of change has no way to distinguish the records from before the floor.
            poll.deliversFrom = state.isLost ? nil : state.floor ?? .max
            return poll
        }
        poll.deliversFrom = state.floor ?? .max
        if let floor = state.floor, !rules.knowsAll {
            poll.from = floor - rules.overlap
            poll.isDivisible = !rules.isWindowed
        } else if rules.knowsAll {
            poll.from = 0
        } else {
            // Nothing is delivered, so only what later readings see again has to be known.
            poll.from = now - Self.clockAllowance
            poll.isDeep = false
        }
        return poll
    }

    /// Notes that reports of deletions were dropped before they were read.
    ///
    /// - Returns: whether the list needs a complete reading for it.
    mutating func noteMissedReports() -> Bool {
        guard rules.changeField != nil, state.hasBegun else { return false }
        state.missesReports = true
        return true
    }

    /// Reads everything that may have been delivered.
    private func complete(_ purpose: FeedPoll.Purpose) -> FeedPoll {
        FeedPoll(
            purpose: purpose, from: rules.knowsAll ? 0 : state.floor ?? 0, deliversFrom: state.floor,
            findsDeletions: true)
    }

    /// Notes that a reading is complete.
    ///
    /// - Parameters:
    ///   - newest: the latest time of change that was read; nil if there was none.
    ///   - duration: how long the reading took, in milliseconds. A record that was changed behind it has a later time
    ///     than the newest one less the duration.
    ///   - now: this machine's time when the reading began.
    ///   - isPart: whether it ended after a part.
    package mutating func finish(_ poll: FeedPoll, newest: Int64?, duration: Int64, at now: Int64, isPart: Bool = false)
    {
        let seen = newest.map { min($0 - duration, now) }
        defer { self.newest = max(self.newest ?? .min, seen ?? .min, state.position ?? .min) }
        guard !poll.isShort else { return }
        let before = state.position
        state.readAt = now
        defer { state.hasBegun = true }
        guard rules.changeField != nil else {
            // Every reading compares the whole list.
            state.missesReports = false
            return
        }
        switch poll.purpose {
        case .beginning, .closing(.stateLost):
            let floor = state.floor ?? max(seen ?? .min, now - Self.clockAllowance)
            state.floor = floor
            state.position = max(seen ?? floor, floor)
        case .changes, .comparison, .closing(.outage), .closing(.reportsMissed):
            state.position = max(before ?? .min, seen ?? before ?? now)
        case .closing(.clockSetBack):
            state.position = seen ?? min(before ?? now, now)
        }
        state.isLost = false
        guard !isPart else { return }
        if poll.isDeep || poll.purpose == .beginning {
            state.deepReadAt = now
            // What was there before this reading began was seen.
            state.deepPosition = before.map { min($0, state.position ?? $0) } ?? state.floor
        }
        if poll.purpose != .changes {
            state.completeAt = now
            state.missesReports = false
        }
    }
}
