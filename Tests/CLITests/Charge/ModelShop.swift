import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// What the worlds of a batch share: the address of their services, the tools, and pasts to begin with.
final class ModelShop: Sendable {
    /// Journals that real runs have written, with the books of the service that they ran against.
    struct Past: Sendable {
        let folder: String
        let money: ModelMoney
        /// Charges that were approved.
        let charges: [Charge]
        /// What came after them, did not reach the service, and was recorded as carried out by a person.
        var entries: [ModelDeed] = []
        /// The journal; nil for that in the folder.
        var database: ServedDatabase?
    }

    struct Charge: Sendable {
        let deed: ModelDeed
        let id: String
        let payment: String
    }

    static let merchantID = "MODELMERCHANT"
    /// A customer with a card on file.
    static let customer = "MODELCUSTOMER"

    private final class Services: Sendable {
        let byNumber = Mutex<[Int: ModelService]>([:])
    }

    let directory: TemporaryDirectory
    let server: LoopbackServer
    /// The server of the databases that have the journals; nil for files.
    private let databases: PostgreSQLServer?
    private let services: Services
    private let libraries: String
    private let driver: String
    private let builtPasts = Mutex<[Past]>([])

    var pasts: [Past] { builtPasts.withLock(\.self) }

    private init(
        _ directory: TemporaryDirectory, libraries: String, driver: String, databases: PostgreSQLServer?
    ) throws {
        self.databases = databases
        self.directory = directory
        self.libraries = libraries
        self.driver = driver
        let services = Services()
        self.services = services
        server = try LoopbackServer { request, _ in Self.answer(request, services) }
    }

    /// - Parameters:
    ///   - seed: of the pasts.
    ///   - pasts: how many there are; the first is empty.
    ///   - databases: the server of the databases that have the journals; nil for files.
    static func open(seed: UInt64, pasts: Int, databases: PostgreSQLServer? = nil) async throws -> ModelShop {
        let directory = try TemporaryDirectory()
        let shared = ["-shared", "-fPIC"]
        let kill = try await build("kill-point.c", shared, in: directory)
        let clock = try await build("wall-clock.c", shared, in: directory)
        let driver = try await build("driver-line.c", ["-static"], in: directory)
        let shop = try ModelShop(
            directory, libraries: "\(kill):\(clock)", driver: driver, databases: databases)
        let empty = Past(folder: "", money: ModelMoney(), charges: [], database: try await shop.emptyDatabase())
        shop.builtPasts.withLock { $0 = [empty] }
        try await withThrowingTaskGroup(of: Past.self) { group in
            for number in 1..<pasts {
                group.addTask {
                    try await ModelWorld(-number, seed: seed &+ UInt64(number), in: shop).makePast(number)
                }
            }
            for try await past in group { shop.builtPasts.withLock { $0.append(past) } }
        }
        // In the order of their numbers, whichever was ready first.
        shop.builtPasts.withLock { $0.sort { $0.folder < $1.folder } }
        return shop
    }

    /// A database with an empty journal; nil for files.
    private func emptyDatabase() async throws -> ServedDatabase? {
        guard let databases else { return nil }
        let database = try await ServedDatabase(databases)
        var runner = CommandRunner(
            executable: try CommandRunner.builtProgram("clover"),
            environment: variables(world: 0, process: 0, folder: directory.path, database), directory: directory.path)
        runner.environment["LD_PRELOAD"] = nil
        let made = try await runner.run(["state", "init", "-q"])
        try #require(made.status == 0, "\(made)")
        // What a killed process had is left alone for a shorter time, so that the worlds do not spend theirs with waiting.
        _ = try await database.rows(
            """
            DO $$ BEGIN
                EXECUTE replace(pg_get_functiondef('clover_state.take_operation'::regproc), '10 s', '1 s');
            END $$
            """)
        return database
    }

    /// A copy of the journal of a past, or an empty one, for one world; nil for files.
    func database(after past: Past?) async throws -> ServedDatabase? {
        guard let databases, let original = past?.database ?? pasts.first?.database else { return nil }
        return try await ServedDatabase(databases, copyOf: original)
    }

    private static func build(
        _ name: String, _ flags: [String], in directory: TemporaryDirectory
    ) async throws -> String {
        let path = directory[name + ".built"]
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/\(name)").path
        // The compiler comes with Swift.
        let compiled = try await CommandRunner(
            executable: "/usr/bin/env", environment: ProcessInfo.processInfo.environment
        ).run(["clang"] + flags + ["-O1", "-Wall", "-Werror", "-o", path, source])
        try #require(compiled.status == 0, "\(compiled)")
        return path
    }

    /// The driver program and its arguments: the same words for all processes.
    var driverWords: String { "'\(driver)' \(server.port)" }

    func add(_ service: ModelService, _ number: Int) { services.byNumber.withLock { $0[number] = service } }

    func remove(_ number: Int) { _ = services.byNumber.withLock { $0.removeValue(forKey: number) } }

    /// The variables of a process of a world.
    func variables(
        world: Int, process: Int, folder: String, _ database: ServedDatabase?
    ) -> [String: String] {
        let variables = [
            "PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "TZ": "UTC",
            "CLOVER_STATE_DIR": "\(folder)/state", "CLOVER_CONFIG_DIR": "\(folder)/config",
            "CLOVER_ENVIRONMENT": server.url, "CLOVER_MERCHANT_ID": Self.merchantID,
            // By which the service tells worlds and processes apart.
            "CLOVER_ACCESS_TOKEN": "model.\(world).\(process)", "MODEL_PROCESS": "model.\(world).\(process)",
            "LD_PRELOAD": libraries, "WALL_CLOCK": "\(folder)/clock",
            "KILL_POINT_FOLDER": "\(folder)/state", "KILL_POINT_LOG": "\(folder)/calls.\(process)",
            "KILL_POINT_DEED": "stop",
        ]
        return variables.merging(database.map { ["CLOVER_STATE": $0.address] } ?? [:]) { $1 }
    }

    private static func answer(_ request: LoopbackRequest, _ services: Services) -> LoopbackResponse {
        let name =
            request.header("X-Model-Process") ?? request.header("apikey")
            ?? request.header("Authorization")?.split(separator: " ").last.map(String.init) ?? ""
        let numbers = name.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2, let service = services.byNumber.withLock({ $0[numbers[0]] }) else {
            return LoopbackResponse(status: "410 Gone", "{}")
        }
        return request.path == "/driver"
            ? service.drive(request.bodyText, process: numbers[1]) : service.respond(to: request, process: numbers[1])
    }
}

/// What a process of the model is started for.
struct ModelDeed: Sendable {
    enum Sort: Sendable { case charge, followUp, recover, settle }

    let sort: Sort
    let words: [String]
    var input: CommandRunner.Input = .nothing
    /// The key of the operation that a person settles.
    var about: String?
    /// The ID of the charge, or of what came after it, that is asked about.
    var subject: String?
    /// The idempotency key, where it has one.
    var key: String?
    var asked: ModelMoney.Asked?

    /// The beginning of the request that moves money.
    var request: String? {
        switch (asked?.rail, asked?.kind) {
        case (.ecommerce, .charge): "POST /v1/charges"
        case (.ecommerce, .refund): "POST /v1/refunds"
        case (.ecommerce, _): "POST /v1/charges/"
        case (.device, _): "POST /connect/v1/payments"
        case (.reader, _): #""request":"charge""#
        case (nil, _): nil
        }
    }

    /// Asks about everything that is open or in doubt.
    static let recoverAll = ModelDeed(sort: .recover, words: ["charge", "recover", "--all"])

    static func recover(_ id: String) -> Self {
        ModelDeed(sort: .recover, words: ["charge", "recover", id], subject: id)
    }

    /// A person records how an operation ended.
    static func settle(_ id: String, of key: String, isPaid: Bool, _ random: inout ModelRandom) -> Self {
        let person = random.one(of: ["Anna", "Ben"])
        return ModelDeed(
            sort: .settle, words: ["charge", "settle", id, isPaid ? "--paid" : "--not-paid", "--by", person],
            about: key)
    }

    var isAboutAll: Bool { sort == .recover && subject == nil }

    /// Whether it asks what became of an operation, which is in the journal.
    ///
    /// - Parameter charge: the key of the operation's charge.
    func asks(about operation: ModelJournal.Operation, ofCharge charge: String?) -> Bool {
        switch sort {
        case .recover: isAboutAll || subject == operation.id || subject == operation.parent
        case .charge, .followUp: key == operation.key || key != nil && key == charge
        case .settle: false
        }
    }

    /// A charge on a rail.
    static func charge(_ key: String, on rail: ModelMoney.PaymentRail, _ random: inout ModelRandom, in shop: ModelShop)
        -> Self
    {
        let amount = Int.random(in: 200...900, using: &random)
        let type: String
        switch rail {
        case .ecommerce: type = random.chance(30) ? "--preauth" : "--sale"
        case .device, .reader: type = random.one(of: ["--sale", "--sale", "--auth", "--preauth"])
        }
        var words = ["charge", "--minor", "\(amount)", "--currency", "USD", "--idempotency-key", key, type]
        var input = CommandRunner.Input.nothing
        switch rail {
        case .ecommerce where random.chance(30):
            words += ["--card", "-"]
            input = ChargeFixture.card()
        case .ecommerce where random.chance(30): words += ["--customer", ModelShop.customer]
        case .ecommerce: words += ["--source", "clv_1MODEL"]
        case .device: words += ["--device", ModelWorld.device]
        case .reader: words += ["--reader", "READER1", "--driver", shop.driverWords]
        }
        // Invoice numbers, which other charges have, too.
        if rail == .ecommerce, random.chance(25) { words += ["--external-id", random.one(of: ["INV-1", "INV-2"])] }
        var deed = ModelDeed(sort: .charge, words: words, input: input, key: key)
        deed.asked = ModelMoney.Asked(
            rail: rail, kind: .charge, amount: amount, isCaptured: type != "--preauth",
            // Whether a tip may come later.
            tip: type == "--auth" ? 0 : nil)
        return deed
    }

    /// Something that comes after a charge; nil where its rail has nothing.
    static func followUp(
        _ key: String, on charge: ModelShop.Charge, _ random: inout ModelRandom
    ) -> Self? {
        guard let asked = charge.deed.asked, asked.rail != .reader else { return nil }
        let isDevice = asked.rail == .device
        var choices: [ModelMoney.Kind] = isDevice ? [.void] : []
        choices += asked.isCaptured ? [.refund] : [.capture]
        if isDevice, !asked.isCaptured { choices.append(.increment) }
        if isDevice, asked.tip != nil { choices.append(.tip) }
        let kind = random.one(of: choices)
        var words = ["charge", kind.rawValue, charge.id, "--idempotency-key", key]
        var wanted = ModelMoney.Asked(rail: asked.rail, kind: kind, payment: charge.payment)
        switch kind {
        case .refund:
            // Several may be too much together.
            wanted.amount = random.one(of: [60, 100, 300])
            words += ["--minor", "\(wanted.amount)"]
        case .increment:
            wanted.amount = 100
            words += ["--minor", "100"]
        case .tip:
            wanted.tip = 150
            words += ["--minor", "150"]
        case .capture where random.chance(40):
            wanted.amount = asked.amount / 3
            words += ["--minor", "\(wanted.amount)"]
        case .capture: wanted.amount = asked.amount
        case .void, .charge: break
        }
        return ModelDeed(sort: .followUp, words: words, key: key, asked: wanted)
    }
}
