/// Random numbers that depend only on a seed, a stream and an index, so that any record of the shop can be generated
/// alone, in any order, with the same result every time.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a
/// counter that grows by a fixed odd number, scrambled by a bijective mix.
package struct SeededRandom: Sendable {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: the shop's seed.
    ///   - stream: the purpose of the numbers; different streams are unrelated.
    ///   - index: the record of that stream.
    package init(seed: UInt64, stream: RandomStream, index: Int) {
        let streamed = Self.mix(seed &+ UInt64(stream.rawValue) &* 0xD1B5_4A32_D192_ED03)
        state = Self.mix(streamed ^ (UInt64(bitPattern: Int64(index)) &* 0xABC9_8388_FB8F_AC03))
    }

    /// The bijective finishing step of SplitMix64.
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number in `0 ..< bound`; 0 for a bound below 2. The bound stays under 2^32.
    mutating func below(_ bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        return Int(((next() >> 32) &* UInt64(bound)) >> 32)
    }

    mutating func pick<Element>(_ list: [Element]) -> Element {
        list[below(list.count)]
    }
    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    mutating func chance(perMille: Int) -> Bool {
        below(1000) < perMille
    }

    /// A number in `0 ..< 1` with 53 random bits.
    mutating func fraction() -> Double {
        Double(next() >> 11) * (1.0 / 9_007_199_254_740_992.0)
    }
}

/// The purpose of a sequence of random numbers. Streams of one seed are unrelated, so a new use never shifts the
/// numbers of another. The raw values determine the shop's content and must not change.
package enum RandomStream: UInt32, Sendable {
    case shop = 1
    // Numbered consecutively up to `exportFault`, 22.
    case calendar, orderTime, order, customer, employee, item, fault, cut, credential, device, apiKey, oauthFault
    case shift, cashEvent, batch, shortPage, drift, paymentFault, churn, exportFile, exportFault
    case reader = 30
    case readerPayment = 31
    case webhook = 32
    case webhookFault = 33
}
