package import CloverReaders

/// `reader driver-check`: whether a driver program keeps to the protocol.
package struct DriverInspection: Sendable {
    package var program: String
    package var drivers = ReaderDriverChoice()

    package init(program: String) {
        self.program = program
    }

    /// The program's name, for messages.
    package var name: String { DriverCommand(parsing: program)?.name ?? program }

    /// A step that was done.
    package struct Step: Sendable {
        package let name: String
        package let outcome: DriverCheck.Outcome

        package var word: String {
            switch outcome {
            case .passed: "ok"
            case .skipped: "skipped"
            case .failed: "fail"
            }
        }

        package var detail: String {
            switch outcome {
            case .passed(let text), .skipped(let text): text
            case .failed(let error): ReaderErrorText.message(error)
            }
        }

        package var json: String {
            var line = JSONLine()
            line.add("step", name)
            line.add("result", word)
            line.add("detail", detail)
            return line.text + "\n"
        }
    }

    /// Tells of each step. Returns what the whole came to.
    package func run(
        in environment: CommandEnvironment, onStep: @escaping @Sendable (Step) async throws -> Void
    ) async throws -> DriverCheck.Verdict {
        let check = try drivers.check(program, in: environment)
        return try await environment.criticalWork.cleaningUp {
            try await check.run { name, outcome in try await onStep(Step(name: name, outcome: outcome)) }
        }
    }
}
