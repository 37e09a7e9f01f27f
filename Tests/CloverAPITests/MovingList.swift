import CloverHTTP
import Foundation
import Synchronization

/// A merchant's list at a service that misbehaves on purpose: rows come and go between two requests, pages are shorter
/// than asked, the 90-day rule cuts in silence, addresses fail.
final class MovingList: Sendable {
    struct Row: Sendable, Equatable {
        var id: String
        var time: Int64

        var json: String { "{\"id\":\"\(id)\",\"createdTime\":\(time)}" }
    }

    struct Behaviour: Sendable {
        /// Rows put in front, and rows taken away anywhere, at each request of the list.
        var inserts = 0...0
        var deletes = 0...0
        /// How likely it is that a page is cut somewhere.
        var shortPages = 0.0
        /// No page has more rows.
        var clamp = Int.max
        /// The 90-day rule holds.
        var cutsHistory = false
        /// What the merchant says of itself; nil refuses.
        var merchantSince: Int64? = 0
        /// Addresses that always answer 503.
        var isDown: @Sendable (_ from: Int64, _ to: Int64) -> Bool = { _, _ in false }
    }

    private struct State {
        var rows: [Row]
        var random: SplitMix
        var added = 0
        var deleted: Set<String> = []
    }

    private let behaviour: Behaviour
    private let state: Mutex<State>

    /// - Parameter rows: the newest first.
    init(_ rows: [Row], _ behaviour: Behaviour, seed: UInt64 = 1) {
        self.behaviour = behaviour
        state = Mutex(State(rows: rows, random: SplitMix(state: seed)))
    }

    /// `count` rows, a step of time apart, the newest at `now`.
    static func rows(_ count: Int, now: Int64 = 1_000_000, step: Int64 = 10) -> [Row] {
        (0..<count).map { Row(id: "R\($0)", time: now - Int64($0) * step) }
    }

    /// The ids of the rows that were there all the time.
    func lasting(of rows: [Row]) -> [String] {
        state.withLock { state in rows.map(\.id).filter { !state.deleted.contains($0) } }
    }

    func answer(_ request: HTTPRequest) -> ScriptedTransport.Answer {
        let items = URLComponents(string: request.url)?.queryItems ?? []
        let path = URLComponents(string: request.url)?.path ?? ""
        if path.hasSuffix("/merchants/M1") {
            guard let since = behaviour.merchantSince else { return .init(status: 403) }
            return .init(chunks: ["{\"id\":\"M1\",\"createdTime\":\(since)}"])
        }
        func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
        var bounds = (from: Int64.min, to: Int64.max)
        for item in items where item.name == "filter" {
            let value = item.value ?? ""
            if value.hasPrefix("createdTime>=") { bounds.from = max(bounds.from, Int64(value.dropFirst(13)) ?? 0) }
            if value.hasPrefix("createdTime<") { bounds.to = min(bounds.to, Int64(value.dropFirst(12)) ?? 0) }
        }
        if behaviour.isDown(bounds.from, bounds.to) { return .init(status: 503) }
        let isAscending = items.contains { $0.name == "orderBy" && $0.value == "createdTime ASC" }
        return state.withLock { state in
            move(&state)
            let newest = min(bounds.to, state.rows.first.map { $0.time + 1 } ?? 0)
            let oldest = behaviour.cutsHistory ? max(bounds.from, newest - 90 * 86_400_000) : bounds.from
            var found = state.rows.filter { $0.time >= oldest && $0.time < bounds.to }
            if isAscending { found.reverse() }
            let limit = min(number("limit") ?? 100, behaviour.clamp)
            var page = Array(found.dropFirst(number("offset") ?? 0).prefix(limit))
            if page.count > 1, Double.random(in: 0..<1, using: &state.random) < behaviour.shortPages {
                page = Array(page.prefix(Int.random(in: 1..<page.count, using: &state.random)))
            }
            return .init(chunks: ["{\"elements\":[\(page.map(\.json).joined(separator: ","))]}"])
        }
    }

    private func move(_ state: inout State) {
        for _ in 0..<Int.random(in: behaviour.inserts, using: &state.random) {
            state.added += 1
            let time = (state.rows.first?.time ?? 0) + 1
            state.rows.insert(Row(id: "NEW\(state.added)", time: time), at: 0)
        }
        for _ in 0..<Int.random(in: behaviour.deletes, using: &state.random) where !state.rows.isEmpty {
            let place = Int.random(in: 0..<state.rows.count, using: &state.random)
            state.deleted.insert(state.rows.remove(at: place).id)
        }
    }
}

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
