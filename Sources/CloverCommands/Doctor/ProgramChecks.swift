import CloverConfiguration
import CloverCore
import CloverHTTP
import CloverOutput
import CloverReaders

/// Checks that the reader driver, if one is set, starts and speaks the protocol. Does not scan for readers.
struct DriverStartCheck: DoctorCheck {
    private static let variable = "CLOVER_READER_DRIVER"

    func run(_ context: DoctorContext) async throws -> [Finding] {
        var choice = ReaderDriverChoice()
        choice.connection = context.choice
        let greeting: (path: String, words: String)?
        do {
            greeting = try await choice.greeting(in: context.environment)
        } catch let error as ReaderError {
            guard let command = try await choice.driverText(in: context.environment) else { throw error }
            let finding = Finding.fail(.driver, DriverProblem(error: error, command: command))
            guard context.environment.variables.nonEmpty(Self.variable) != nil else { return [finding] }
            return [finding.adding(["the variable overrides the configuration file: unset \(Self.variable)"])]
        } catch is ConfigurationError {
            // Reported by the configuration check.
            return [.skip(.driver, "cannot check driver: see above")]
        }
        guard let driver = greeting else { return [.ok(.driver, "no driver program is set")] }
        return [.ok(.driver, "the driver \(driver.path) responds: \(driver.words)")]
    }
}

/// An error of a driver program, with the command that starts it.
struct DriverProblem: Error, Sendable {
    let error: ReaderError
    /// The program and its arguments, as configured.
    let command: String
}

/// Finds the version of libjq, which `--jq` uses. libjq before 1.7 does not report its version, so it is found by
/// features.
struct JQCheck: DoctorCheck {
    /// Versions, each with a program that compiles from that version on.
    private static let features = [
        ("1.8 or later", "trimstr(\"a\")"), ("1.7", "pick(.a)"), ("1.6", "getpath([]) | splits(\"a\")"),
    ]

    func run(_ context: DoctorContext) async throws -> [Finding] {
        for (version, source) in Self.features where try await compiles(source, context) {
            guard version == "1.6" else { return [.ok(.jq, "libjq \(version)")] }
            return [.ok(.jq, "libjq 1.6: whole numbers above 2^53 lose digits, in --jq only")]
        }
        return [.fail(.jq, "libjq cannot compile any program", next: ["sudo apt install --reinstall libjq1"])]
    }

    private func compiles(_ source: String, _ context: DoctorContext) async throws -> Bool {
        let filter = JQFilter(
            program: try JQProgram(source: source), output: context.environment.standardOutput, workers: 1,
            onFailure: { _ in }, onMessage: { _ in })
        do throws(JQError) {
            try await filter.compiled()
            return true
        } catch {
            guard case .compile = error else { throw error }
            return false
        }
    }
}

/// Reports the libcurl that sends the requests.
struct CurlCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        // Its own version, then those of its libraries, of which TLS and HTTP/2 matter here.
        let version: String
        do throws(HTTPTransportError) {
            version = try context.environment.transportVersion()
        } catch {
            return [.fail(.curl, error)]
        }
        let parts = version.split(separator: " ").map { $0.replacing("/", with: " ") }
        let shown = parts.prefix(2) + parts.dropFirst(2).filter { $0.hasPrefix("nghttp2") }
        return [.ok(.curl, shown.joined(separator: ", "))]
    }
}
