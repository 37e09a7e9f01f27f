/// Gives each identifier a number, from 0 on. Takes about 27 bytes for one of at most 15 bytes, and compares it whole, so that
/// no two are taken for one.
struct IdentifierTable: Sendable {
    private var identifiers = Blocks<String>()
    /// Hash table with linear probing: the number of an identifier plus one, or 0.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { identifiers.count }

    subscript(number: UInt32) -> String { identifiers[Int(number)] }

    func number(of identifier: String) -> UInt32? {
        let slot = slots[slot(of: identifier)]
        return slot == 0 ? nil : slot - 1
    }

    /// The number of an identifier, which is added if it is new.
    mutating func insert(_ identifier: String) -> UInt32 {
        let slot = slot(of: identifier)
        if slots[slot] != 0 { return slots[slot] - 1 }
        let number = UInt32(count)
        identifiers.append(identifier)
        slots[slot] = number + 1
        if count * 4 > slots.count * 3 { grow() }
        return number
    }

    /// Where an identifier is, or would be.
    private func slot(of identifier: String) -> Int {
        var slot = identifier.hashValue & (slots.count - 1)
        while slots[slot] != 0, identifiers[Int(slots[slot] - 1)] != identifier {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for number in 0..<count { slots[slot(of: identifiers[number])] = UInt32(number + 1) }
    }
}

/// A list that grows without moving its elements, so that it never needs memory for two copies of them.
struct Blocks<Element: Sendable>: RandomAccessCollection, Sendable {
    private var blocks: [[Element]] = []
    private static var size: Int { 1024 }

    private(set) var count = 0
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(place: Int) -> Element {
        get { blocks[place / Self.size][place % Self.size] }
        _modify { yield &blocks[place / Self.size][place % Self.size] }
    }

    mutating func append(_ element: Element) {
        if count % Self.size == 0 {
            blocks.append([])
            blocks[blocks.count - 1].reserveCapacity(Self.size)
        }
        blocks[blocks.count - 1].append(element)
        count += 1
    }
}
