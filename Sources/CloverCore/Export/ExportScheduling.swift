import CloverAuth
package import CloverExport
import CloverSystem
import Glibc

/// An export as cron or systemd runs it, independent of the terminal where it was typed.
package struct ExportScheduling: Sendable {
    package let program: ScheduledProgram
    /// Notes for the user.
    package let notes: [String]
    /// Notes for the user about systemd units.
    package let unitNotes: [String]

    /// Options of an export that take a path.
    private static let pathOptions = ["--to", "--from-file"]
    /// Environment variables with a path, which become absolute.
    private static let pathVariables = [
        "CLOVER_CONFIG_DIR", "CLOVER_STATE_DIR", "CLOVER_CA_BUNDLE", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
    ]
    private static let variables = [
        "CLOVER_PROFILE", "CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID", "CLOVER_APP_ID",
        "CLOVER_ALLOW_NETWORK_STATE",
    ]
    private static let secret = "CLOVER_ACCESS_TOKEN"

    /// The options that pin the sign-in that an export uses now, so that `clover auth switch` does not redirect it: its
    /// profile, or its merchant and environment. Empty where the user typed them or is not signed in yet.
    package static func signInOptions(
        _ request: ExportRequest, in environment: CommandEnvironment
    ) async throws -> [String] {
        let choice = request.connection
        guard !request.hasManyMerchants, choice.profile == nil else { return [] }
        var key = try await choice.staticCredential(in: environment)?.key
        if key == nil {
            key = try await choice.key(in: environment)
            if let key, let name = try await environment.profiles().name(of: key) { return ["--profile=\(name)"] }
        }
        guard let key else { return [] }
        return (choice.merchantID == nil ? ["--merchant=\(key.merchantID)"] : [])
            + (choice.environment == nil ? ["--environment=\(key.environment)"] : [])
    }

    /// - Parameters:
    ///   - words: the resources and options of the export.
    ///   - directory: its destination.
    package init(
        words: [String], resources: [String], directory: String, in environment: CommandEnvironment
    ) throws {
        let destination = try Self.absolute(directory)
        var variables: [(name: String, value: String)] = []
        for name in Self.pathVariables {
            if let value = environment.variables[name], !value.isEmpty {
                variables.append((name, try Self.absolute(value)))
            }
        }
        for name in Self.variables {
            if let value = environment.variables[name], !value.isEmpty { variables.append((name, value)) }
        }
        let state = try environment.stateDirectory().path
        program = try ScheduledProgram(
            words: [try Self.ownPath(), "export"] + Self.withAbsolutePaths(words), variables: variables,
            title: "Export \(resources.joined(separator: ", ")) from Clover", writesIn: [destination, state],
            user: AccountName.current())
        notes =
            environment.variables[Self.secret]?.isEmpty == false
            ? ["\(Self.secret) is not saved; to store the token, run 'clover auth login --with-token'"] : []
        unitNotes =
            access(destination, F_OK) == 0
            ? [] : ["create the directory before the first run: mkdir -p \(CronLine.shellWord(destination))"]
    }

    private static func withAbsolutePaths(_ words: [String]) throws -> [String] {
        var result: [String] = []
        var isPath = false
        for word in words {
            if isPath {
                result.append(try absolute(word))
                isPath = false
            } else if let option = pathOptions.first(where: { word.hasPrefix($0 + "=") }) {
                result.append("\(option)=\(try absolute(String(word.dropFirst(option.count + 1))))")
            } else {
                isPath = pathOptions.contains(word)
                result.append(word)
            }
        }
        return result
    }

    /// The absolute path, without resolving links.
    private static func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { throw CoreError.programMissing("the current directory") }
        defer { free(current) }
        let rest = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return rest.isEmpty ? String(cString: current) : "\(String(cString: current))/\(rest)"
    }

    private static func ownPath() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw CoreError.programMissing("clover") }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
