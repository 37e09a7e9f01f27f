import CloverConfiguration
import CloverCore

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
    static func told(of environment: CommandEnvironment) -> (CommandEnvironment, faults: [Fault]) {
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
