import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// One world of the model: a journal with a random past, a service, and a few processes that are stopped, continued and
/// killed at random system calls while others run, under a clock that is stepped forward.
final class ModelWorld {
    static let device = "C030MODEL00001"

    /// A process that was started.
    private struct Actor {
        /// From 1, in the order of their start.
        let number: Int
        let deed: ModelDeed
        let command: RunningCommand
        /// Whether the journal had nothing under its key when it began.
        let isFirst: Bool
        /// How much of its output has been read.
        var taken = 0
        /// Whether it is killed where it is stopped, when all come to their ends.
        let isDoomed: Bool
        var isKilled = false
        /// The IDs of follow-ups that it asks about, which a person had recorded as carried out, and which were not.
        let undone: [String]
        /// Whether no other process may have held the lock of one of them meanwhile.
        var isAlone: Bool
    }

    let number: Int
    let seed: UInt64
    private let shop: ModelShop
    private let service: ModelService
    private let folder: String
    /// The journal; nil for that in the folder.
    private let database: ServedDatabase?
    private var random: ModelRandom
    private var actors: [Actor] = []
    private var judge = ModelJudge()
    private var ahead: Int64 = 0
    private var keys = 0
    private var charges: [ModelShop.Charge] = []
    private var entries: [ModelDeed] = []

    /// - Parameter number: by which the service knows the world; that of a past is below 0.
    init(_ number: Int, seed: UInt64, in shop: ModelShop) async throws {
        self.number = number
        self.seed = seed
        self.shop = shop
        var random = ModelRandom(seed: seed)
        folder = try shop.directory.makeFolder("world\(number)")
        try shop.directory.write("world\(number)/clock", [UInt8](repeating: 0, count: 8))
        let past = number < 0 ? nil : random.one(of: shop.pasts)
        database = try await shop.database(after: past)
        if let past, !past.folder.isEmpty {
            try FileManager.default.copyItem(atPath: past.folder, toPath: "\(folder)/state")
            charges = past.charges
            entries = past.entries
        }
        let nature = ModelService.Nature(
            echoes: random.chance(50), lags: random.chance(30), isCrowded: random.chance(20),
            recalls: random.chance(50), filters: random.chance(50))
        service = ModelService(nature: nature, seed: seed, money: past?.money ?? ModelMoney(), isCalm: false)
        self.random = random
        shop.add(service, number)
        service.tell("past: \(past?.folder.split(separator: "/").last ?? "none"), \(nature)")
    }

    deinit {
        service.release()
        shop.remove(number)
        // The folder of the batch goes away with all in it.
        if number >= 0 { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Removes what the world alone had.
    func end() async throws { if number >= 0 { try await database?.drop() } }

    /// What happened, a line each.
    var story: [String] { service.state.withLock(\.story) }

    /// What the judge counted.
    var tally: ModelJudge.Tally { judge.tally }

    // MARK: The past

    /// A journal with a few operations, written by real runs that nothing disturbs but the service.
    func makePast(_ length: Int) async throws -> ModelShop.Past {
        let rails: [ModelMoney.PaymentRail] = [.ecommerce, .device, .reader]
        for turn in 0..<(2 * length) {
            // One of each rail first, each as Clover documents it.
            service.state.withLock { $0.isCalm = turn < 3 || random.chance(50) }
            let rail = turn < 3 ? rails[turn] : random.one(of: rails)
            try await start(.charge(nextKey("past\(length)"), on: rail, &random, in: shop), at: nil)
            try await finish()
        }
        var money = service.state.withLock(\.money)
        let journal = try #require(try await readJournal())
        for actor in actors {
            guard let key = actor.deed.key, let row = journal.operation(key: key), row.state == "approved",
                case .moved(let payment) = money.entries[key]?.fate
            else { continue }
            charges.append(ModelShop.Charge(deed: actor.deed, id: row.id, payment: payment))
        }
        try await makeEntries("past\(length)")
        money = service.state.withLock(\.money)
        let past = try shop.directory.makeFolder("past\(length)")
        try FileManager.default.removeItem(atPath: past)
        try FileManager.default.copyItem(atPath: "\(folder)/state", toPath: past)
        return ModelShop.Past(
            folder: past, money: money.asPast(), charges: charges, entries: entries, database: database)
    }

    /// What came after card charges, did not reach the service, and was recorded as carried out by a person, who was told
    /// otherwise since, or not, and has confirmed some of it.
    private func makeEntries(_ prefix: String) async throws {
        service.state.withLock { ($0.isCalm, $0.isDeaf) = (true, true) }
        for charge in charges where charge.deed.asked?.rail == .ecommerce && random.chance(75) {
            let key = nextKey(prefix)
            guard let deed = ModelDeed.followUp(key, on: charge, &random) else { continue }
            try await start(deed, at: nil)
            try await finish()
            guard let row = try await readJournal()?.operation(key: key), row.state == "unknown" else { continue }
            entries.append(deed)
            let entry = ModelDeed.settle(row.id, of: key, isPaid: true, &random)
            let later: [[ModelDeed]] = [[], [], [.recover(row.id)], [.recover(charge.id), entry]]
            for step in [entry] + random.one(of: later) {
                try await start(step, at: nil)
                try await finish()
            }
        }
        service.state.withLock { $0.isDeaf = false }
    }

    private func nextKey(_ prefix: String = "k") -> String {
        keys += 1
        return "\(prefix)-\(keys)"
    }

    // MARK: A run

    /// Runs the world to its end, and gives what must not have been.
    func run() async throws -> [String] {
        judge.begin(try await readJournal())
        let first = try await act(chooseFirst())
        if random.chance(25), isStopped(first) { kill(first) }
        for _ in 0..<random.weighted([(60, 1), (30, 2), (10, 3)]) {
            stepClock(30)
            try await act(try await chooseNext(first))
        }
        try await finish()
        var random = random
        service.resolve(&random)
        self.random = random
        try await observe()
        try await recoverAndRepeat()
        return judge.violations + service.state.withLock(\.violations)
    }

    /// A charge, or what comes after one of the past.
    private func chooseFirst() -> ModelDeed {
        if random.chance(30), !charges.isEmpty {
            let charge = random.one(of: charges)
            if let deed = ModelDeed.followUp(nextKey(), on: charge, &random) { return deed }
        }
        return .charge(nextKey(), on: random.one(of: ModelMoney.PaymentRail.allCases), &random, in: shop)
    }

    private func chooseNext(_ first: Int) async throws -> ModelDeed {
        let deed = actors[first].deed
        switch random.weighted([(35, 0), (25, 1), (15, 2), (15, 3), (10, 4)]) {
        case 0: return .recoverAll
        case 1: return deed
        case 2:
            guard let key = deed.key, let row = try await readJournal()?.operation(key: key) else { return deed }
            // A person says what is so, as far as it is seen, and may be wrong about what comes after a charge.
            let hasMoved = service.state.withLock { $0.money.hasMoved(key) }
            let isMistaken = deed.sort == .followUp && deed.asked?.rail == .ecommerce && random.chance(50)
            return .settle(row.id, of: key, isPaid: hasMoved || isMistaken, &random)
        case 3: return chooseFirst()
        default: return try await chooseAsking() ?? .recoverAll
        }
    }

    /// Asks about something that a person recorded as carried out, and that was not, or lets the person decide again; nil if there
    /// is none.
    private func chooseAsking() async throws -> ModelDeed? {
        let undone = undoneEntries(in: try await readJournal())
        guard !undone.isEmpty else { return nil }
        let entry = random.one(of: undone)
        let charge = charges.first { $0.id == entry.parent }
        switch random.weighted([(25, 0), (25, 1), (15, 2), (15, 3), (20, 4)]) {
        case 0: return .recover(entry.id)
        case 1: return charge.map { ModelDeed.recover($0.id) }
        case 2: return charge?.deed
        case 3: return (entries + actors.map(\.deed)).first { $0.key == entry.key }
        default: return .settle(entry.id, of: entry.key, isPaid: random.chance(50), &random)
        }
    }

    /// What a person recorded as carried out, and what was not.
    private func undoneEntries(in journal: ModelJournal?) -> [ModelJournal.Operation] {
        let payments = Dictionary(uniqueKeysWithValues: charges.map { ($0.id, $0.payment) })
        return journal?.undone(service.state.withLock(\.money), on: payments) ?? []
    }

    /// Starts a process, and waits until it has ended or goes no further by itself. What another one has under way meanwhile
    /// it must not touch.
    @discardableResult
    private func act(_ deed: ModelDeed) async throws -> Int {
        try await observe()
        let underWay = try await frozen()
        let index = try await start(deed, at: random.chance(70) ? chooseMoment(deed) : nil)
        await rest(index)
        if !underWay.isEmpty, let journal = try await readJournal() {
            for (key, row) in underWay where journal.operation(key: key) != row {
                judge.violations.append(
                    "p\(actors[index].number) changed \(key), which another process has under way: \(row.state) to "
                        + "\(journal.operation(key: key).map { "\($0.transitions)" } ?? "nothing")")
            }
        }
        return index
    }

    /// The operations of processes that are stopped, or wait for a response.
    private func frozen() async throws -> [String: ModelJournal.Operation] {
        let holding = service.holding
        var rows: [String: ModelJournal.Operation] = [:]
        var journal: ModelJournal?
        let isFrozen = actors.indices.map { isStopped($0) || holding.contains(actors[$0].number) }
        for index in actors.indices where actors[index].isFirst && !actors[index].isKilled {
            guard isFrozen[index], let key = actors[index].deed.key else { continue }
            // The operation may be that of another process with the same key.
            let isAlone = actors.indices.allSatisfy { $0 == index || actors[$0].deed.key != key }
            guard isAlone else { continue }
            if journal == nil { journal = try await readJournal() }
            guard let row = journal?.operation(key: key), !row.isFinal else { continue }
            // What it has reported as unknown it only has to end, and has released.
            let output = String(decoding: actors[index].command.outputSoFar, as: UTF8.self)
            if row.state == "unknown", output.contains(#""event":"unknown""#) { continue }
            rows[key] = row
        }
        return rows
    }

    /// Lets all go on to their ends, some of them to be killed instead.
    private func finish() async throws {
        for index in actors.indices.shuffled(using: &random) where isStopped(index) && actors[index].isDoomed {
            kill(index)
        }
        stepClock(15)
        for index in actors.indices.shuffled(using: &random) where !actors[index].command.hasEnded {
            service.tell("p\(actors[index].number) goes on")
            if !isStopped(index) || !actors[index].isDoomed { actors[index].command.send(SIGCONT) }
            if random.chance(50) { await rest(index) }
        }
        for index in actors.indices {
            while !actors[index].command.hasEnded {
                service.release()
                for other in actors.indices where isStopped(other) && !actors[other].isKilled {
                    if actors[other].isDoomed { kill(other) } else { actors[other].command.send(SIGCONT) }
                }
                try await Task.sleep(for: .milliseconds(8))
            }
        }
        service.release()
        try await observe()
    }

    /// Asks once more when all is over: what is open is settled, and each key can be used or has its result.
    private func recoverAndRepeat() async throws {
        if random.chance(40) {
            stepClock(40)
            service.state.withLock { $0.isCalm = random.chance(60) }
            try await start(.recoverAll, at: nil)
            try await finish()
        }
        service.state.withLock { $0.isCalm = true }
        if random.chance(30), let asking = try await chooseAsking() {
            try await start(asking, at: nil)
            return try await finish()
        }
        let candidates = actors.map(\.deed).filter { $0.key != nil }
        guard !candidates.isEmpty else { return }
        let deed = random.one(of: candidates)
        guard let key = deed.key else { return }
        let before = try await readJournal()?.operation(key: key)
        let wasReceived = service.state.withLock { $0.money.entries[key] != nil }
        let hadMoved = service.state.withLock { $0.money.hasMoved(key) }
        let wasTakenBack = service.state.withLock { $0.money.isTakenBack(key) }
        let index = try await start(deed, at: nil)
        try await finish()
        let result = try await actors[index].command.result()
        let hasMoved = service.state.withLock { $0.money.hasMoved(key) }
        let isUntouched = !wasReceived && ["created", nil].contains(before?.state)
        if isUntouched, deed.sort == .charge, !hasMoved || result.ending != .exited(0) {
            judge.violations.append(
                "nothing of \(key) had left, and the same key cannot be charged: \(result.ending), \(result.errorText)")
        }
        if isUntouched, deed.sort == .followUp, result.errorText.contains("belongs to something else") {
            judge.violations.append("nothing of \(key) had left, and the same key is refused: \(result.errorText)")
        }
        if wasTakenBack, [.exited(0), .exited(79)].contains(result.ending) {
            judge.violations.append(
                "a part was approved under \(key) and given back, and the same key ends with \(result.ending)")
        }
        if wasReceived, !hadMoved, hasMoved, before?.isFinal == true, before?.isByHand != true {
            judge.violations.append("\(key) was \(before?.state ?? "") and was charged after that under the same key")
        }
    }

    // MARK: Processes

    /// At which call a process is stopped.
    private struct Moment {
        let isSinceRequest: Bool
        let number: Int
        let isBefore: Bool
    }

    private func chooseMoment(_ deed: ModelDeed) -> Moment {
        let isSinceRequest = deed.request != nil && random.chance(60)
        return Moment(
            isSinceRequest: isSinceRequest,
            number: Int.random(in: 1...(isSinceRequest ? random.one(of: [2, 8, 30]) : 110), using: &random),
            isBefore: random.chance(50))
    }

    @discardableResult
    private func start(_ deed: ModelDeed, at moment: Moment?) async throws -> Int {
        let process = actors.count + 1
        var runner = CommandRunner(
            executable: try CommandRunner.builtProgram("clover"),
            environment: shop.variables(world: number, process: process, folder: folder, database), directory: folder)
        runner.limit = .seconds(120)
        if let moment {
            runner.environment["KILL_POINT_AT"] = "\(moment.number)"
            runner.environment["KILL_POINT_SIDE"] = moment.isBefore ? "before" : "after"
            if moment.isSinceRequest, let text = deed.request { runner.environment["KILL_POINT_SINCE"] = text }
        }
        let isDoomed = random.chance(35)
        let journal = try await readJournal()
        let isFirst = deed.key.map { journal?.operation(key: $0) == nil } ?? false
        let undone = undoneEntries(in: journal).filter { operation in
            deed.asks(about: operation, ofCharge: charges.first { $0.id == operation.parent }?.deed.key)
        }
        // A database keeps the locks of a killed process for a while.
        let isAlone = actors.allSatisfy { $0.command.hasEnded && (database == nil || !$0.isKilled) }
        for index in actors.indices where !actors[index].command.hasEnded { actors[index].isAlone = false }
        service.tell(
            "p\(process): clover \(deed.words.map { $0 == shop.driverWords ? "DRIVER" : $0 }.joined(separator: " "))"
                + (moment.map {
                    "; stops \($0.isBefore ? "before" : "after") call \($0.number)"
                        + ($0.isSinceRequest ? " since its request" : "")
                } ?? ""))
        judge.started(process, deed)
        // As nightly work is started, so that other tests are not kept from theirs.
        let words = ["-n", "10", runner.executable] + deed.words
        runner.executable = "/usr/bin/nice"
        let command = try runner.start(words, input: deed.input)
        actors.append(
            Actor(
                number: process, deed: deed, command: command, isFirst: isFirst, isDoomed: isDoomed,
                undone: undone.map(\.id), isAlone: isAlone))
        return actors.count - 1
    }

    private func kill(_ index: Int) {
        service.tell("p\(actors[index].number) is killed")
        actors[index].isKilled = true
        actors[index].command.send(SIGKILL)
    }

    private func isStopped(_ index: Int) -> Bool { actors[index].command.isStopped }

    /// Waits until a process has ended, is stopped, waits for a response, or has done nothing for a while: it waits for
    /// another one then. How long that takes decides only what comes next.
    private func rest(_ index: Int) async {
        let log = "\(folder)/calls.\(actors[index].number)"
        var calls: off_t = 0
        let began = ContinuousClock.now
        var last = began
        while !actors[index].command.hasEnded, !isStopped(index), !service.holding.contains(actors[index].number) {
            var facts = stat()
            if stat(log, &facts) == 0, facts.st_size != calls {
                calls = facts.st_size
                last = .now
            }
            // A process that waits for the database asks for its lock again and again.
            let isQuiet = calls > 0 && ContinuousClock.now - last > .milliseconds(400)
            if isQuiet || ContinuousClock.now - began > .seconds(3) { break }
            try? await Task.sleep(for: .milliseconds(8))
        }
        service.tell(
            "p\(actors[index].number) \(actors[index].command.hasEnded ? "has ended" : isStopped(index) ? "is stopped" : "waits")"
        )
    }

    private func stepClock(_ percent: Int) {
        guard number >= 0, random.chance(percent) else { return }
        ahead += 660
        service.tell("the clock is stepped forward by 11 minutes")
        guard let file = FileHandle(forUpdatingAtPath: "\(folder)/clock") else { return }
        file.write(withUnsafeBytes(of: ahead.littleEndian) { Data($0) })
        try? file.close()
    }

    // MARK: What is seen

    private func readJournal() async throws -> ModelJournal? {
        if let database { return try await ModelJournal.read(database) }
        return try ModelJournal.read("\(folder)/state", copyingTo: "\(folder)/copy")
    }

    /// Passes to the judge everything that was reported since the last time.
    private func observe() async throws {
        let next = actors.count + 1
        // What a process printed before it ended is read to its end.
        var results: [Int: CommandResult] = [:]
        for index in actors.indices where actors[index].command.hasEnded {
            do {
                results[index] = try await actors[index].command.result()
            } catch CommandError.outOfTime(let result) {
                judge.violations.append("p\(actors[index].number) does not end: \(result.errorText)")
                results[index] = result
            }
        }
        let journal = try await readJournal()
        for actor in actors where actor.deed.sort == .settle {
            // A refused one has reported nothing.
            if case .exited(let status)? = results[actor.number - 1]?.ending, status != 0 { continue }
            if let key = actor.deed.about { judge.excuse(key) }
        }
        // Before the money is counted: what a process prints is judged by what had moved until then.
        let outputs = actors.indices.map { results[$0]?.output ?? actors[$0].command.outputSoFar }
        let money = service.state.withLock(\.money)
        // What moved money is in the journal before.
        judge.learn(try await readJournal())
        judge.count(money)
        for (index, output) in outputs.enumerated() {
            let lines = output.split(separator: UInt8(ascii: "\n"))
            for line in lines.dropFirst(actors[index].taken) {
                // A killed process may leave a part of a line.
                guard let event = try? JSONValue(String(decoding: line, as: UTF8.self)) else { continue }
                judge.hear(event, from: actors[index].number, before: next, money)
                actors[index].taken += 1
            }
        }
        judge.read(journal, before: next, money)
        let undone = Set(undoneEntries(in: journal).map(\.id))
        let troubled = service.state.withLock(\.troubled)
        for (index, result) in results.sorted(by: { $0.key < $1.key }) {
            let actor = actors[index]
            let hasSeenAll = actor.isAlone && !troubled.contains(actor.number)
            // What has been done or decided meanwhile may not have been seen.
            judge.ended(
                actor.number, actor.deed, result.ending, errors: result.errorText,
                undone: hasSeenAll ? actor.undone.filter { undone.contains($0) } : [], before: next, money)
        }
    }
}
