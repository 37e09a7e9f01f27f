/// A set of record keys, for a few thousand keys and frequent lookups: open addressing with minimal hashing.
package struct RecordKeySet: Sendable {
    package private(set) var count = 0
    /// At least half of the slots are free.
    private var places = Array(repeating: RecordKey.none, count: 64)

    package init() {}

    package func contains(_ key: RecordKey) -> Bool {
        places[place(of: key)] == key
    }

    /// - Returns: true if the key was added, false if it was already there.
    @discardableResult
    package mutating func insert(_ key: RecordKey) -> Bool {
        if 2 * (count + 1) > places.count { grow() }
        let place = place(of: key)
        guard places[place] == .none else { return false }
        count += 1
        places[place] = key
        return true
    }

    /// Removes all keys but keeps the capacity.
    package mutating func removeAll() {
        count = 0
        for place in places.indices { places[place] = .none }
    }

    /// The slot of the key, or the free slot where it belongs.
    private func place(of key: RecordKey) -> Int {
        // Ids differ in few bits: multiplying spreads them to the upper ones (Knuth, multiplicative hashing).
        let mixed = (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        var place = Int(truncatingIfNeeded: mixed &>> 32) & (places.count - 1)
        while places[place] != .none, places[place] != key { place = (place + 1) & (places.count - 1) }
        return place
    }

    private mutating func grow() {
        let known = places
        places = Array(repeating: .none, count: 2 * known.count)
        for key in known where key != .none { places[place(of: key)] = key }
    }
}
