import CloverAuth
import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem
import Glibc
import ProbeSupport

/// Plays another process in tests of locks, ledger and credential files. Arguments: a command, the state directory, and
/// what the command needs. It prints `ready`, `held` or `locked`, and then waits for a byte or the end of its input.
@main
struct Main {
    static func main() async {
        do {
            try await run(CommandLine.arguments.dropFirst().map { $0 })
        } catch {
            // Thrown from here, it would be a crash, and a kill of this process would leave the backtrace's program behind.
            let line = Array("\(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        guard words.count >= 3 else { throw UsageError() }
        let state = StateDirectory(path: words[1])
        let numbers = words.dropFirst(3).compactMap { Int($0) }
        switch words[0] {
        case "lock": try lock(state, name: words[2])
        case "hold": try await hold(state, scope: words[2], numbers)
        case "announce": try announce(state, scope: words[2], numbers)
        case "admit": try await admit(state, scope: words[2], numbers)
        case "turns": try turns(state, scope: words[2], numbers)
        case "save": try await save(state, merchant: words[2], numbers)
        case "renew": try await Renewals(words).renew()
        case "current": try await Renewals(words).current()
        case "halt": try await Renewals(words).halt()
        case "full": try await Renewals(words).full()
        case "denied": try await Renewals(words).denied()
        default: throw UsageError()
        }
    }

    struct UsageError: Error {}

    static func tell(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Blocks until the parent sends a byte or closes.
    static func waitForParent() {
        var byte: UInt8 = 0
        while read(0, &byte, 1) < 0, errno == EINTR {}
    }

    /// Whether the parent closed our input, or sent another byte.
    static func hasInputEnded() -> Bool {
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) == 1
    }

    /// `lock STATE DIRECTORY/NAME`: holds a lock file.
    static func lock(_ state: StateDirectory, name: String) throws {
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 2 else { throw UsageError() }
        let directory = try state.prepareSubdirectory(parts[0], rule: .own)
        let lock = try FileLock.acquire(parts[1], in: directory)
        tell("locked")
        waitForParent()
        _ = lock.wasMarked
    }

    /// A ledger of the scope; with limits of an app, of the app that the scope names before a slash.
    static func ledger(
        _ state: StateDirectory, scope: String, _ numbers: [Int], appLimits: RateLimits? = nil
    ) -> RateLedger {
        let limits = RateLimits(requestsPerSecond: numbers[0], inFlight: numbers[1])
        let app = appLimits.map {
            RateBudget(LedgerScope(service: "x", appID: String(scope.prefix { $0 != "/" })), limits: $0)
        }
        let token = RateBudget(LedgerScope(service: scope, token: Secret("token")), limits: limits)
        // A database in place of the directory.
        return state.path.hasPrefix("postgresql:")
            ? RateLedger(fleet: state.path, token: token, app: app, onNotice: { _ in })
            : RateLedger(directory: state, token: token, app: app, onNotice: { _ in })
    }

    /// `hold STATE SCOPE RATE SLOTS COUNT`: holds COUNT permits.
    static func hold(_ state: StateDirectory, scope: String, _ numbers: [Int]) async throws {
        let ledger = ledger(state, scope: scope, numbers)
        var permits: [Permit] = []
        for _ in 0..<numbers[2] { permits.append(try await ledger.acquire()) }
        tell("held")
        waitForParent()
        for permit in permits { permit.release() }
    }

    /// `announce STATE SCOPE RATE SLOTS CLASS`: says once that it waits, with the class of that number.
    static func announce(_ state: StateDirectory, scope: String, _ numbers: [Int]) throws {
        let store = try BudgetFiles(
            state: state, scope: LedgerScope(service: scope, token: Secret("token")),
            limits: RateLimits(requestsPerSecond: numbers[0], inFlight: numbers[1]), onNotice: { _ in })
        try store.announce(RequestPriority(rawValue: UInt8(numbers[2])) ?? .bulk)
        tell("held")
        waitForParent()
        store.endWaiting()
    }

    /// `admit STATE SCOPE RATE SLOTS TASKS MILLISECONDS HOLD [CLASS [APP-RATE APP-SLOTS]]`: for this long, or until its input
    /// ends, TASKS tasks take one permit after the other, of the class with that number, and keep each for HOLD
    /// milliseconds. Prints `MOMENT FROM TO WAITED` for each as soon as it is over, the first three on CLOCK_BOOTTIME.
    static func admit(_ state: StateDirectory, scope: String, _ numbers: [Int]) async throws {
        let ledger = ledger(
            state, scope: scope, numbers,
            appLimits: numbers.count < 8 ? nil : RateLimits(requestsPerSecond: numbers[6], inFlight: numbers[7]))
        let priority =
            numbers.count < 6 ? .interactive : RequestPriority(rawValue: UInt8(numbers[5])) ?? .interactive
        let hold = numbers[4]
        tell("ready")
        waitForParent()
        let end = BootInstant.now.advanced(by: Int64(numbers[3]) * 1_000_000)
        try await withThrowingTaskGroup { group in
            for _ in 0..<numbers[2] {
                group.addTask {
                    while BootInstant.now < end, !hasInputEnded() {
                        let permit = try await ledger.acquire(for: priority)
                        let from = BootInstant.now.nanoseconds
                        if hold > 0 { try await Task.sleep(for: .milliseconds(hold)) }
                        let to = BootInstant.now.nanoseconds
                        permit.release()
                        tell("\(permit.moment.nanoseconds) \(from) \(to) \(Int64(permit.waited / .nanoseconds(1)))")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// `turns STATE SCOPE COUNT`: prints the nanoseconds of one transaction that grants a request, or takes the grant back, on
    /// average, in a ledger whose second is used up.
    static func turns(_ state: StateDirectory, scope: String, _ numbers: [Int]) throws {
        let store = try BudgetFiles(
            state: state, scope: LedgerScope(service: scope, token: Secret("token")), limits: RateLimits(),
            onNotice: { _ in })
        for _ in 0..<20 { _ = try store.grant() }
        let start = BootInstant.now
        for _ in 0..<numbers[0] / 2 {
            if let grant = try store.grant() { try store.withdraw(grant.moment) }
        }
        tell("\(BootInstant.now.nanoseconds(since: start) / Int64(numbers[0]))")
    }

    /// `save STATE MERCHANT DIGIT ROUNDS`: saves credentials whose tokens are made of one digit only, long enough to
    /// need more than one page.
    static func save(_ state: StateDirectory, merchant: String, _ numbers: [Int]) async throws {
        let store = FileCredentialStore(state: state)
        let key = try CredentialKey(environment: "sandbox", merchantID: merchant)
        let token = String(repeating: "\(numbers[0])", count: 8000)
        tell("ready")
        waitForParent()
        for round in 0..<numbers[1] {
            try await store.save(
                Credential(
                    key: key, kind: .oauth, accessToken: Secret(token), refreshToken: Secret(token),
                    createdAt: Int64(round)))
        }
        tell("saved")
    }
}
