import CloverCore
import CloverSystem
import FoundationEssentials

/// `clover emulator demo`: starts a local Clover, signs in temporarily, and runs ten commands with their output. Reads and
/// writes none of the user's files, and leaves nothing behind.
struct DemoTour: Sendable {
    private let environment: CommandEnvironment

    /// Maximum number of polls, 50 ms apart, until the service listens.
    private static let maximumPolls = 600

    init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    /// - Parameter print: takes whole lines for standard output.
    /// - Throws: `CoreError.demoFailed` if a command of the demo fails.
    func run(print: @escaping @Sendable (String) async throws -> Void) async throws {
        let emulator = try EmulatorProgram.locate(variables: environment.variables)
        let folder = try DemoDirectory(variables: environment.variables)
        try await environment.criticalWork.cleaningUp {
            do {
                try await runService(emulator, folder, print)
            } catch {
                try folder.remove()
                throw error
            }
            try folder.remove()
        }
        try await print(
            "\n# The demo is complete and has left no files. Next: clover auth login --app-id APP, or man clover\n")
    }

    private func runService(
        _ emulator: String, _ folder: DemoDirectory, _ print: @Sendable (String) async throws -> Void
    ) async throws {
        try await print("# Start a local Clover with 500 orders on a free port of this machine.\n")
        try await print("$ clover emulator serve --port 0 --orders 500 --now clock &\n")
        let lifeline = try LivenessPipe()
        let service = try DemoProcess.start(
            [emulator, "serve", "--port", "0", "--orders", "500", "--now", "clock", "--until-input-ends"],
            variables: bare, input: .descriptor(lifeline.reading), output: (folder["ready"], folder["emulator.log"]))
        do {
            try await runSteps(try await ready(service, folder), folder, print)
        } catch {
            await stop(service)
            throw error
        }
        await stop(service)
    }

    private func runSteps(
        _ ready: Ready, _ folder: DemoDirectory, _ print: @Sendable (String) async throws -> Void
    ) async throws {
        try folder.write("token.txt", ready.accessToken + "\n")
        try folder.write("card.json", #"{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}"#)
        let variables = bare.merging([
            "CLOVER_STATE_DIR": folder["state"], "CLOVER_CONFIG_DIR": folder["config"], "URL": ready.url,
            "MERCHANT": ready.merchantId, "DEMO_FOLDER": folder.path,
        ]) { $1 }
        for step in DemoStep.all {
            let shown = step.line.replacing("$MERCHANT", with: ready.merchantId).replacing("$URL", with: ready.url)
            try await print("\n# \(step.words)\n$ \(shown)\n")
            // `exec` replaces the shell, so that the demo waits for the command itself, which may still write.
            let command = try DemoProcess.start(
                ["/bin/sh", "-c", "cd \"$DEMO_FOLDER\" && exec \(step.line)"], variables: variables)
            let status = await command.status()
            try Task.checkCancellation()
            guard status == 0 else { throw CoreError.demoFailed(command: shown, status: status) }
        }
    }

    /// Waits until the service listens.
    private func ready(_ service: DemoProcess, _ folder: DemoDirectory) async throws -> Ready {
        for _ in 0..<Self.maximumPolls {
            if let line = folder.firstLine(of: "ready") {
                return try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
            }
            if service.hasEnded() { break }
            try await environment.sleep(0.05)
        }
        throw CoreError.demoFailed(command: "clover emulator serve", status: 1)
    }

    private func stop(_ service: DemoProcess) async {
        service.end()
        _ = await service.status()
    }

    /// The user's variables without those that would redirect a command, such as `CLOVER_` settings and proxies.
    private var bare: [String: String] {
        var variables = environment.variables.filter { name, _ in
            !name.hasPrefix("CLOVER_") && !name.lowercased().hasSuffix("_proxy")
        }
        let own = EmulatorProgram.ownFolder.map { $0 + ":" } ?? ""
        variables["PATH"] = own + (variables["PATH"] ?? "/usr/bin:/bin")
        return variables
    }

    private struct Ready: Decodable {
        let url: String
        let merchantId: String
        let accessToken: String
    }
}

/// One step of the demo.
struct DemoStep: Sendable {
    /// The explanation above the command.
    let words: String
    /// The shell command.
    let line: String

    /// The ten steps. Their files are in the demo's directory.
    static let all = [
        DemoStep(
            words: "Sign in. The token is read from standard input and is never an argument.",
            line: "clover auth login --profile demo --with-token --merchant $MERCHANT --environment $URL <token.txt"),
        DemoStep(words: "Show the sign-in.", line: "clover auth status"),
        DemoStep(
            words: "Get records: one JSON object per line, or a table on a terminal; --format overrides this.",
            line: "clover get orders --sort createdTime:desc --limit 3 --format table"),
        DemoStep(
            words: "Select records and fields. The service filters the records; jq is built in.",
            line: "clover get orders --filter 'total>=5000' --limit 3 --jq '{id, total}'"),
        DemoStep(
            words: "Include related records.",
            line: "clover get orders --expand lineItems --limit 2 --jq '[.lineItems.elements[].name]'"),
        DemoStep(
            words: "Get all orders in one array. Exit status 0 guarantees that none is missing.",
            line: "clover get orders --all --slurp --jq 'group_by(.state)[] | {state: .[0].state, orders: length}'"),
        DemoStep(
            words: "Write CSV for a spreadsheet, with amounts in dollars.",
            line: "clover get items --limit 3 --format csv --fields name,price --money major"),
        DemoStep(
            words: "Create a record. Field types come from the service's model.",
            line: "clover post items --field name='Oat latte' --field price=520 --json"),
        DemoStep(
            words: "Take a payment. It is recorded before it is sent, so that nothing is charged twice.",
            line: "clover charge --amount 12.50 --currency USD --card - <card.json"),
        DemoStep(words: "Show the rate budget that all these commands shared.", line: "clover limits"),
    ]
}
