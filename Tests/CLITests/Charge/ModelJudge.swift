import CloverTestSupport

/// Compares what is reported about money with the money itself.
///
/// "No money moved" is true if none has moved under the key, and none will by a request of a process that was started before
/// that report. "Money moved" is true if it has. "Nothing was sent yet" is also true if a process that waited for the
/// operation then starts it again, which the journal shows, and sends it for the first time.
struct ModelJudge {
    /// What was seen in the worlds, so that a model that sees nothing is noticed.
    struct Tally: Sendable {
        var processes = 0
        var killed = 0
        var moved = 0
        var denied = 0
        var unknown = 0
        /// How often a process had to name a follow-up that a person recorded as carried out, and that was not.
        var undone = 0
        var violations = 0

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                processes: left.processes + right.processes, killed: left.killed + right.killed,
                moved: left.moved + right.moved, denied: left.denied + right.denied,
                unknown: left.unknown + right.unknown, undone: left.undone + right.undone,
                violations: left.violations + right.violations)
        }
    }

    private struct Denial {
        let words: String
        /// The number that the next process gets.
        let next: Int
    }

    var violations: [String] = []
    private(set) var tally = Tally()
    private var denials: [String: Denial] = [:]
    /// Keys by the ids of operations, and those that a person settled.
    private var keys: [String: String] = [:]
    private var settledByHand: Set<String> = []
    /// Why operations ended of which nothing had been sent, and which were started again after that, by key.
    private var restarted: [String: Set<String>] = [:]
    private var known: [String: Int] = [:]
    private var isOver: Set<Int> = []
    private var deeds: [Int: ModelDeed] = [:]

    /// The content of the past journal is not judged.
    mutating func begin(_ journal: ModelJournal?) {
        learn(journal)
        for operation in journal?.operations ?? [] { known[operation.key] = operation.transitions.count }
    }

    /// A person may have entered the outcome.
    mutating func excuse(_ key: String) { settledByHand.insert(key) }

    mutating func learn(_ journal: ModelJournal?) {
        for operation in journal?.operations ?? [] {
            keys[operation.id] = operation.key
            if operation.isByHand || operation.transitions.contains(where: \.isByHand) {
                settledByHand.insert(operation.key)
            }
            restarted[operation.key] = Self.endsBeforeRestart(operation.transitions)
            if let denial = denials[operation.key], isOfRestarted(operation.key, denial.words) {
                denials[operation.key] = nil
            }
        }
    }

    /// Why an operation ended each time that it was started again after nothing of it had been sent: the journal has it as
    /// created, then as ended without having been sent, then as created again. Unknown directly after created is a key that
    /// could not be checked.
    private static func endsBeforeRestart(_ transitions: [ModelJournal.Transition]) -> Set<String> {
        var ends: Set<String> = []
        var last = ""
        for (end, next) in zip(transitions, transitions.dropFirst()) {
            let isEnd = ["failed", "cancelled", "declined"].contains(end.state)
            if isEnd, last == "created", next.state == "created", !end.detail.isEmpty { ends.insert(end.detail) }
            if !isEnd, last != "created" || end.state != "unknown" { last = end.state }
        }
        return ends
    }

    /// Whether a report is of an end after which the operation was started again.
    private func isOfRestarted(_ key: String, _ words: String) -> Bool {
        restarted[key]?.contains { words.contains($0) } ?? false
    }

    mutating func started(_ process: Int, _ deed: ModelDeed) {
        tally.processes += 1
        deeds[process] = deed
    }

    /// Counts what the service has taken.
    mutating func count(_ money: ModelMoney) {
        var counts: [String: Int] = [:]
        for movement in money.movements { counts[movement.key, default: 0] += 1 }
        for (key, count) in counts where count > 1 { violate("\(key) moved money \(count) times") }
        for movement in money.movements {
            guard let denial = denials[movement.key], movement.process < denial.next,
                !money.isTakenBack(movement.key)
            else { continue }
            denials[movement.key] = nil
            violate(
                "money moved by the request of p\(movement.process), but it was denied for \(movement.key): \(denial.words)"
            )
        }
    }

    /// An event that a process printed.
    mutating func hear(_ event: JSONValue, from process: Int, before next: Int, _ money: ModelMoney) {
        guard let id = event["operation"]?.string ?? event["charge"]?.string, let key = keys[id],
            !settledByHand.contains(key), let word = event["event"]?.string
        else { return }
        let words = "p\(process) printed '\(word)', reason '\(event["reason"]?.string ?? "")'"
        switch word {
        case "approved", "partial", "captured", "voided", "refunded", "tipAdjusted", "incremented":
            affirm(key, words, money)
        case "declined", "cancelled", "failed": deny(key, words, next, money, by: process)
        case "unknown": tally.unknown += 1
        default: break
        }
    }

    /// What is new in the journal.
    mutating func read(_ journal: ModelJournal?, before next: Int, _ money: ModelMoney) {
        for operation in journal?.operations ?? [] where !settledByHand.contains(operation.key) {
            for transition in operation.transitions.dropFirst(known[operation.key] ?? 0) {
                let words = "the journal had it as \(transition.state) (\(transition.detail))"
                switch transition.state {
                case "approved": affirm(operation.key, words, money)
                case "declined", "cancelled", "failed": deny(operation.key, words, next, money)
                default: break
                }
            }
            known[operation.key] = operation.transitions.count
        }
    }

    /// The end of a process: its status, and what it wrote to stderr.
    ///
    /// - Parameter undone: the IDs of follow-ups that it asked about, which a person recorded as carried out, and which the service
    ///   has shown it as not done.
    mutating func ended(
        _ process: Int, _ deed: ModelDeed, _ ending: CommandResult.Ending, errors: String, undone: [String] = [],
        before next: Int, _ money: ModelMoney
    ) {
        guard isOver.insert(process).inserted else { return }
        guard case .exited(let status) = ending else {
            tally.killed += 1
            return
        }
        if status == 70 || status == 1 { violate("p\(process) ended with \(status): \(errors)") }
        if !undone.isEmpty { name(undone, process, deed, status, errors: errors) }
        guard let key = deed.key, !settledByHand.contains(key) else { return }
        let words = "p\(process) ended with \(status): \(errors.split(separator: "\n").first ?? "")"
        switch status {
        case 0: affirm(key, words, money)
        case 81, 83: deny(key, words, next, money, by: process)
        default:
            if Self.denies(errors) { deny(key, words, next, money, by: process) }
        }
    }

    private static func denies(_ text: String) -> Bool {
        // What a person is asked to find out is no report.
        let text = text.replacing("if it was not carried out", with: "")
        return [
            "nothing was charged", "nothing was carried out", "not carried out", "nothing is charged", "not charged",
        ].contains { text.contains($0) }
    }

    /// A process that asked about follow-ups must not end as if these had been carried out.
    private mutating func name(
        _ undone: [String], _ process: Int, _ deed: ModelDeed, _ status: Int32, errors: String
    ) {
        tally.undone += 1
        let named = undone.filter { errors.contains($0) }
        if status == 80, deed.isAboutAll ? named == undone : !named.isEmpty { return }
        violate(
            "\(undone.joined(separator: ", ")) was recorded as carried out by a person, the service shows that it was not, and "
                + "p\(process) ended with \(status): \(errors)")
    }

    private mutating func affirm(_ key: String, _ words: String, _ money: ModelMoney) {
        tally.moved += 1
        if money.hasMoved(key) { return }
        if let asked = money.entries[key]?.asked, money.holds(asked) { return }
        violate("no money moved under \(key), and \(words)")
    }

    /// - Parameter process: who says so; one that was started later may charge under the same key where nothing had left.
    private mutating func deny(
        _ key: String, _ words: String, _ next: Int, _ money: ModelMoney, by process: Int? = nil
    ) {
        tally.denied += 1
        if money.isTakenBack(key) || isOfRestarted(key, words) { return }
        if let movement = money.movements.first(where: { $0.key == key && $0.process < next }) {
            violate("money moved by the request of p\(movement.process) under \(key), and \(words)")
        } else {
            let next = process.map { deeds[$0]?.key == key ? min(next, $0 + 1) : next } ?? next
            denials[key] = Denial(words: words, next: next)
        }
    }

    private mutating func violate(_ text: String) {
        if !violations.contains(text) { violations.append(text) }
    }
}
