import CloverProcesses
import FoundationEssentials

/// `clover emulator demo`: a local Clover, a sign-in that is thrown away, and ten commands with what they print. Nothing
/// of the user's is read or written, and nothing is left.
package struct DemoTour: Sendable {
    private let environment: CommandEnvironment

    /// How long the service may take to listen, in looks of a twentieth of a second.
    private static let looks = 600

    package init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    /// - Parameter print: takes whole lines for standard output.
    /// - Throws: `CoreError.demoFailed` when a command of the tour does not end with 0.
    package func run(print: @escaping @Sendable (String) async throws -> Void) async throws {
        let emulator = try EmulatorProgram.locate(variables: environment.variables)
        let folder = try DemoFolder(variables: environment.variables)
        try await environment.criticalWork.cleaningUp {
            do {
                try await visit(emulator, folder, print)
            } catch {
                try folder.remove()
                throw error
            }
            try folder.remove()
        }
        try await print(
            "\n# That was it, and nothing of it is left. Go on with: clover auth login --app-id APP, or man clover\n")
    }

    private func visit(
        _ emulator: String, _ folder: DemoFolder, _ print: @Sendable (String) async throws -> Void
    ) async throws {
        try await print("# A local Clover with 500 orders, on a free port of this machine.\n")
        try await print("$ clover emulator serve --port 0 --orders 500 --now clock &\n")
        let lifeline = try Lifeline()
        let service = try DemoProcess.start(
            [emulator, "serve", "--port", "0", "--orders", "500", "--now", "clock", "--until-input-ends"],
            variables: bare, input: .descriptor(lifeline.reading), output: (folder["ready"], folder["emulator.log"]))
        do {
            try await walk(try await ready(service, folder), folder, print)
        } catch {
            await stop(service)
            throw error
        }
        await stop(service)
    }

    private func walk(
        _ ready: Ready, _ folder: DemoFolder, _ print: @Sendable (String) async throws -> Void
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
            // In the place of its shell, so that the tour waits for the command itself, which might still write something.
            let command = try DemoProcess.start(
                ["/bin/sh", "-c", "cd \"$DEMO_FOLDER\" && exec \(step.line)"], variables: variables)
            let status = await command.status()
            try Task.checkCancellation()
            guard status == 0 else { throw CoreError.demoFailed(command: shown, status: status) }
        }
    }

    /// Waits until the service listens.
    private func ready(_ service: DemoProcess, _ folder: DemoFolder) async throws -> Ready {
        for _ in 0..<Self.looks {
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

    /// The user's variables without those that would lead a command elsewhere.
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
