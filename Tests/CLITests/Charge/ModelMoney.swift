import CloverTestSupport

/// Numbers that a seed decides (Steele, Lea, Flood: SplitMix64).
struct ModelRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter stream: one of several sequences of the same seed.
    init(seed: UInt64, stream: Int = 0) {
        state = seed &* 0x2545_F491_4F6C_DD1D &+ UInt64(stream) &* 0xD6E8_FEB8_6659_FD93
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func one<Value>(of values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }

    /// One of several values, each as likely as its number says.
    mutating func weighted<Value>(_ choices: [(Int, Value)]) -> Value {
        var rest = Int.random(in: 0..<choices.reduce(0) { $0 + $1.0 }, using: &self)
        for (weight, value) in choices {
            if rest < weight { return value }
            rest -= weight
        }
        return choices[0].1
    }
}

/// The money of one world, as the service of the model counts it by its own records.
struct ModelMoney: Sendable {
    enum PaymentRail: String, Sendable, CaseIterable { case ecommerce, device, reader }
    enum Kind: String, Sendable { case charge, capture, refund, void, tip, increment }

    /// What a request asks for.
    struct Asked: Sendable {
        var rail: PaymentRail
        var kind: Kind
        /// What the client calls the charge.
        var external: String?
        var amount = 0
        /// False for a hold.
        var isCaptured = true
        var tip: Int?
        /// The payment that a later operation is about.
        var payment: String?
        /// The customer whose card is charged; nil for any other card.
        var customer: String?
    }

    /// A charge at the service.
    struct Payment: Sendable {
        let id: String
        /// Nil for one of another customer, which no process of the model asked for.
        let key: String?
        let rail: PaymentRail
        let external: String?
        var amount: Int
        var isCaptured: Bool
        var tip: Int?
        var isVoided = false
        /// Less was approved than was asked for.
        var isPart = false
        var refunded = 0
        /// It is not decided yet, and nothing was taken so far.
        var isPending = false
        var isDeclined = false
        /// Milliseconds since 1970.
        let made: Int
        /// Nothing shows it until the service has had time.
        var isHidden = false
        var customer: String?
    }

    /// What becomes of a key.
    enum Fate: Sendable {
        /// Nothing was done, and a repetition may change that.
        case untouched
        /// It will be decided later, with nothing to see until then.
        case late
        case moved(id: String)
        /// Nothing moved under the key, and nothing will.
        case refused
    }

    struct Entry: Sendable {
        let asked: Asked
        var fate = Fate.untouched
        /// The process whose request it is that moved money, or will.
        var process: Int
    }

    /// Money that moved.
    struct Movement: Sendable {
        let key: String
        let asked: Asked
        let process: Int
    }

    private(set) var entries: [String: Entry] = [:]
    private(set) var payments: [Payment] = []
    private(set) var movements: [Movement] = []
    private var made = 0

    func payment(_ id: String) -> Payment? { payments.first { $0.id == id } }

    func hasMoved(_ key: String) -> Bool { movements.contains { $0.key == key } }

    /// What was given back, with the charges it is of.
    var refunds: [(id: String, amount: Int, payment: String)] {
        entries.values.compactMap { entry in
            guard entry.asked.kind == .refund, case .moved(let id) = entry.fate else { return nil }
            return (id, entry.asked.amount, entry.asked.payment ?? "")
        }
    }

    /// Whether a part of what was asked for was approved, and given back.
    func isTakenBack(_ key: String) -> Bool { payments.contains { $0.key == key && $0.isPart && $0.isVoided } }

    /// Whether the goal of a later operation is reached, by whatever request.
    func holds(_ asked: Asked) -> Bool {
        guard let payment = asked.payment.flatMap(payment) else { return false }
        return switch asked.kind {
        case .capture: payment.isCaptured && payment.amount == asked.amount
        case .void: payment.isVoided
        case .tip: payment.tip == asked.tip
        case .charge, .refund, .increment: false
        }
    }

    /// Notes that a request came.
    mutating func receive(_ key: String, _ asked: Asked, by process: Int) {
        if entries[key] == nil { entries[key] = Entry(asked: asked, process: process) }
    }

    mutating func set(_ fate: Fate, of key: String, by process: Int) {
        entries[key]?.fate = fate
        entries[key]?.process = process
    }

    /// Whether the payment is in a state for it.
    func permits(_ asked: Asked) -> Bool {
        guard asked.kind != .charge else { return true }
        guard let payment = asked.payment.flatMap(payment), !payment.isVoided, !payment.isPending, !payment.isDeclined
        else { return false }
        return switch asked.kind {
        case .capture: !payment.isCaptured && asked.amount <= payment.amount
        case .refund: payment.isCaptured && payment.refunded + asked.amount <= payment.amount + (payment.tip ?? 0)
        case .void: payment.refunded == 0
        case .tip: payment.isCaptured
        case .increment: !payment.isCaptured
        case .charge: true
        }
    }

    /// Carries out what was asked.
    ///
    /// - Parameters:
    ///   - isPart: whether only a part of a charge is approved.
    ///   - isForgetful: whether a key counts again; otherwise one that has moved money does nothing more.
    ///   - now: milliseconds since 1970.
    mutating func take(
        _ key: String, by process: Int, now: Int, isHidden: Bool = false, isPart: Bool = false,
        isForgetful: Bool = false
    ) {
        guard let asked = entries[key]?.asked else { return }
        if case .moved = entries[key]?.fate, !isForgetful { return }
        movements.append(Movement(key: key, asked: asked, process: process))
        made += 1
        var id = "\(asked.kind == .charge ? "PAY" : "OP")\(made)X\(key.prefix(8).uppercased())"
        if asked.kind == .charge {
            payments.append(
                Payment(
                    id: id, key: key, rail: asked.rail, external: asked.external,
                    amount: isPart ? asked.amount / 2 : asked.amount, isCaptured: asked.isCaptured, tip: asked.tip,
                    isPart: isPart, made: now, isHidden: isHidden, customer: asked.customer))
        } else if let index = payments.firstIndex(where: { $0.id == asked.payment }) {
            change(&payments[index], asked)
            if asked.kind != .refund { id = payments[index].id }
        }
        set(.moved(id: id), of: key, by: process)
    }

    private func change(_ payment: inout Payment, _ asked: Asked) {
        switch asked.kind {
        case .capture:
            payment.isCaptured = true
            payment.amount = asked.amount
            payment.tip = asked.tip ?? payment.tip
        case .void: payment.isVoided = true
        case .refund: payment.refunded += asked.amount
        case .tip: payment.tip = asked.tip
        case .increment: payment.amount += asked.amount
        case .charge: break
        }
    }

    /// A charge that the bank has not decided about.
    mutating func begin(_ key: String, now: Int) -> String? {
        guard let asked = entries[key]?.asked else { return nil }
        made += 1
        let id = "PAY\(made)X\(key.prefix(8).uppercased())"
        payments.append(
            Payment(
                id: id, key: key, rail: asked.rail, external: asked.external, amount: asked.amount,
                isCaptured: asked.isCaptured, tip: asked.tip, isPending: true, made: now, customer: asked.customer))
        return id
    }

    /// Decides about a charge that was begun.
    mutating func decide(_ key: String, isTaken: Bool) {
        guard let index = payments.firstIndex(where: { $0.key == key && $0.isPending }), let entry = entries[key] else {
            return
        }
        payments[index].isPending = false
        payments[index].isDeclined = !isTaken
        if isTaken {
            movements.append(Movement(key: key, asked: entry.asked, process: entry.process))
            set(.moved(id: payments[index].id), of: key, by: entry.process)
        } else {
            set(.refused, of: key, by: entry.process)
        }
    }

    /// A charge that was refused and has an id.
    mutating func decline(_ key: String, by process: Int, now: Int) -> String? {
        guard let id = begin(key, now: now) else { return nil }
        entries[key]?.process = process
        decide(key, isTaken: false)
        return id
    }

    /// A charge of another customer.
    mutating func addForeign(_ rail: PaymentRail, amount: Int, now: Int) -> String {
        made += 1
        let id = "OTHER\(made)"
        payments.append(
            Payment(
                id: id, key: nil, rail: rail, external: nil, amount: amount, isCaptured: true, made: now))
        return id
    }

    /// The same as what was before the first process of a world.
    func asPast() -> ModelMoney {
        var past = self
        for key in past.entries.keys { past.entries[key]?.process = 0 }
        past.movements = movements.map { Movement(key: $0.key, asked: $0.asked, process: 0) }
        return past
    }

    /// Everything is to be seen from now on.
    mutating func show() {
        for index in payments.indices { payments[index].isHidden = false }
    }

    /// Keys about which nothing is decided.
    var open: [String] {
        entries.keys.sorted().filter { key in
            if case .late = entries[key]?.fate { return true }
            return payments.contains { $0.key == key && $0.isPending }
        }
    }
}
