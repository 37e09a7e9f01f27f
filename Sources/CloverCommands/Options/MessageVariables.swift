import CloverConfiguration
import CloverCore

/// The variables that are none of the configuration's keys and take certain words only, each by itself.
enum MessageVariables {
    typealias Fault = (variable: String, error: any Error & Sendable)

    /// The environment with what they say.
    ///
    /// - Throws: what is wrong with the first of them that is wrong.
    static func applied(to environment: CommandEnvironment) throws -> CommandEnvironment {
        var environment = environment
        if let fault = apply(to: &environment).first { throw fault.error }
        return environment
    }

    /// The environment with what those say that can be meant, and what is wrong with the others.
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
        // Used where state is kept.
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
