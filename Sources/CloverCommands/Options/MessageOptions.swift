import ArgumentParser
import CloverConfiguration
import CloverCore

/// Amount and form of the messages on standard error.
struct MessageOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Print nothing but errors: no notices, such as the one about masked fields (CLOVER_QUIET=1).")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print progress details: retries, waits, counts (CLOVER_VERBOSE=1).")
    var verbose = false

    @Flag(name: .long, help: "Print JSON to standard output, even on a terminal, and errors as one JSON line.")
    var json = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Show details on standard error, without secrets: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).",
            valueName: "parts"), completion: .asked, transform: Self.parts)
    var debug: DebugParts?

    @OptionGroup
    var log: LogFileOptions

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    private static func parts(_ text: String) throws -> DebugParts {
        do throws(DebugParts.UnknownName) {
            return try DebugParts(parsing: text)
        } catch {
            throw ValidationError("--debug takes \(DebugParts.names.joined(separator: ", ")), not '\(error.name)'")
        }
    }

    /// Applies the options to the environment.
    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        if quiet { environment.diagnostics.level = .quiet }
        if verbose { environment.diagnostics.level = .verbose }
        if let debug { environment.diagnostics.debugParts = debug }
        return environment
    }
}

/// The log of runs. `Program` reads it from the command line, because it is written for refused lines, too.
struct LogFileOptions: ParsableArguments {
    @Option(
        name: .customLong("log-file"), parsing: .unconditional,
        help: ArgumentHelp(
            "Append one JSON line about the run to this file: status, counts, seconds, request ids (CLOVER_LOG).",
            valueName: "file"), completion: .file())
    var path: String?

    func validate() throws {
        if path == "" { throw ValidationError("--log-file takes a file") }
        try OutputPath.check(path, of: "--log-file")
    }
}

/// Whether long tables go through a pager.
struct PagingOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-pager"),
        help: "Do not use a pager for tables longer than the terminal (CLOVER_PAGER=cat).")
    var isPagerUnwanted = false

    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        if isPagerUnwanted { environment.isPagerUnwanted = true }
        return environment
    }
}

/// Environment variables about messages, which are not configuration keys and accept certain words only.
enum MessageVariables {
    typealias Fault = (variable: String, error: any Error & Sendable)

    /// Applies the variables to the environment.
    ///
    /// - Throws: the first fault.
    static func applied(to environment: CommandEnvironment) throws -> CommandEnvironment {
        var environment = environment
        if let fault = apply(to: &environment).first { throw fault.error }
        return environment
    }

    /// Applies the valid variables to the environment, and returns the faults of the others.
    static func applyingValid(to environment: CommandEnvironment) -> (CommandEnvironment, faults: [Fault]) {
        var environment = environment
        let faults = apply(to: &environment)
        return (environment, faults)
    }

    private static func apply(to environment: inout CommandEnvironment) -> [Fault] {
        let variables = environment.variables
        var faults: [Fault] = []
        do throws(VariableError) {
            _ = try Variable.errors.value(in: variables)
        } catch {
            faults.append((Variable.errors.name, error))
        }
        if let text = variables["CLOVER_DEBUG"], !text.isEmpty {
            do throws(DebugParts.UnknownName) {
                environment.diagnostics.debugParts = try DebugParts(parsing: text)
            } catch {
                faults.append(("CLOVER_DEBUG", error))
            }
        }
        let isVerbose = isOn("CLOVER_VERBOSE", variables, &faults)
        let isQuiet = isOn("CLOVER_QUIET", variables, &faults)
        environment.diagnostics.level = isQuiet ? .quiet : isVerbose ? .verbose : .normal
        // Only checked here; used where state is kept.
        _ = isOn("CLOVER_ALLOW_NETWORK_STATE", variables, &faults)
        return faults
    }

    private static func isOn(
        _ name: String, _ variables: [String: String], _ faults: inout [Fault]
    ) -> Bool {
        do throws(ConfigurationError) {
            return try ConfigurationLayers.isOn(variable: name, in: variables)
        } catch {
            faults.append((name, error))
            return false
        }
    }
}

/// An environment variable that accepts one of a few words.
struct Variable {
    let name: String
    /// The accepted words in lower case; case is ignored.
    let permitted: [String]

    static let errors = Variable(name: "CLOVER_ERRORS", permitted: ["text", "json"])

    /// The word in lower case; empty if the variable is not set.
    func value(in variables: [String: String]) throws(VariableError) -> String {
        let value = variables[name, default: ""].lowercased()
        guard value.isEmpty || permitted.contains(value) else {
            throw VariableError(variable: self, value: variables[name, default: ""])
        }
        return value
    }
}

/// A variable with a word that it does not accept.
struct VariableError: Error {
    let variable: Variable
    let value: String
}
