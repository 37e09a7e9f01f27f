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
        let environment = context.environment
        let command: String
        do {
            guard let text = try await choice.driverText(in: environment) else {
                return .ok("no driver program is set")
            }
            command = text
        } catch is ConfigurationError {
            // Reported by the configuration check.
            return .skip("cannot check driver: see above")
        }
        let driver = try choice.external(command, limits: DriverLimits(answer: 2, ending: 0.5), in: environment)
        do {
            let path = try driver.command.locate(variables: environment.variables)
            let greeting = try await driver.greeting()
            return .ok("the driver \(path) responds: \(greeting)")
        } catch let error as ReaderError {
            let isSetByVariable = environment.variables.nonEmpty(Self.variable) != nil
            return .fail(
                DriverProblem(error: error, command: command),
                next: isSetByVariable
                    ? ["the variable overrides the configuration file: unset \(Self.variable)"] : [])
        }
    }
}

/// An error of a driver program, with the command that starts it.
struct DriverProblem: Error, Sendable {
    let error: ReaderError
    /// The program and its arguments, as configured.
    let command: String
}

/// Checks libjq, which `--jq` uses.
struct JQCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        switch try await JQVersion.found(in: context.environment) {
        case "1.6": .ok("libjq 1.6: whole numbers above 2^53 lose digits, in --jq only")
        case let version?: .ok("libjq \(version)")
        case nil: .fail("libjq cannot compile any program", next: ["sudo apt install --reinstall libjq1"])
        }
    }
}

/// The version of libjq. Before 1.7 it does not report its version, so it is found by features.
enum JQVersion {
    /// Versions, each with a program that compiles from that version on.
    private static let features = [
        ("1.8 or later", "trimstr(\"a\")"), ("1.7", "pick(.a)"), ("1.6", "getpath([]) | splits(\"a\")"),
    ]

    /// Such as `1.6`; nil if no program compiles.
    static func found(in environment: CommandEnvironment) async throws -> String? {
        for (version, source) in features where try await compiles(source, in: environment) { return version }
        return nil
    }

    private static func compiles(_ source: String, in environment: CommandEnvironment) async throws -> Bool {
        let filter = JQFilter(
            program: try JQProgram(source: source), output: environment.standardOutput, workers: 1,
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
            return .fail(error)
        }
        let parts = version.split(separator: " ").map { $0.replacing("/", with: " ") }
        let shown = parts.prefix(2) + parts.dropFirst(2).filter { $0.hasPrefix("nghttp2") }
        return .ok(shown.joined(separator: ", "))
    }
}
