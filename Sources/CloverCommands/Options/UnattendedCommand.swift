import CloverAuth
import CloverConfiguration
import CloverCore
import CloverExport
import CloverSystem
import Glibc

/// What a command line needs to run later, without its terminal: from cron or as a service.
enum UnattendedCommand {
    /// Environment variables with a path, which become absolute.
    private static let pathVariables = [
        "CLOVER_CONFIG_DIR", "CLOVER_STATE_DIR", "CLOVER_CA_BUNDLE", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
    ]
    private static let otherVariables = [
        "CLOVER_PROFILE", "CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID", "CLOVER_APP_ID",
        "CLOVER_ALLOW_NETWORK_STATE",
    ]
    private static let secret = "CLOVER_ACCESS_TOKEN"

    /// The variables of configuration, state and sign-in, without the token. The directories are named even when they
    /// are the usual ones: whatever the variables of the scheduler are, a run finds the same configuration and state.
    static func variables(in environment: CommandEnvironment) throws -> [(name: String, value: String)] {
        let own = [
            "CLOVER_CONFIG_DIR": try ConfigurationFile(environment: environment.variables).directory,
            "CLOVER_STATE_DIR": try environment.stateDirectory().path,
        ]
        return try (pathVariables + otherVariables).compactMap { name in
            let typed = environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
            guard let value = typed ?? own[name] else { return nil }
            return (name, pathVariables.contains(name) ? try absolute(value) : value)
        }
    }

    /// Says that a token in the environment is not among them.
    static func noteSecret(in environment: CommandEnvironment) {
        guard environment.variables[secret]?.isEmpty == false else { return }
        environment.diagnostics.notice(
            "\(secret) is not saved; to store the token, run 'clover auth login --with-token'")
    }

    /// The options that pin the sign-in in use now, so that `clover auth switch` does not redirect the command: its
    /// profile, or its merchant and environment. Empty where the user typed them or is not signed in yet.
    static func signInOptions(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> [String] {
        guard choice.profile == nil else { return [] }
        var key = try await choice.staticCredential(in: environment)?.key
        if key == nil {
            key = try await choice.key(in: environment)
            if let key, let name = try await environment.profiles().name(of: key) { return ["--profile=\(name)"] }
        }
        guard let key else { return [] }
        return (choice.merchantID == nil ? ["--merchant=\(key.merchantID)"] : [])
            + (choice.environment == nil ? ["--environment=\(key.environment)"] : [])
    }

    /// The words with absolute paths as the values of these options.
    static func withAbsolutePaths(_ words: [String], of options: [String]) throws -> [String] {
        var result: [String] = []
        var isPath = false
        for word in words {
            if isPath {
                result.append(try absolute(word))
                isPath = false
            } else if let option = options.first(where: { word.hasPrefix($0 + "=") }) {
                result.append("\(option)=\(try absolute(String(word.dropFirst(option.count + 1))))")
            } else {
                isPath = options.contains(word)
                result.append(word)
            }
        }
        return result
    }

    /// The absolute path, without resolving links; also of a database's file.
    static func absolute(_ text: String) throws -> String {
        let address = DestinationAddress(text)
        guard let path = address.path, !path.hasPrefix("/") else { return text }
        guard let current = getcwd(nil, 0) else { throw CoreError.programMissing("the current directory") }
        defer { free(current) }
        let rest = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return address.with(path: String(cString: current) + (rest.isEmpty ? "" : "/\(rest)")).name
    }

    /// The program as it was called: a symbolic link stays one, so that an update of what it leads to is used.
    static func ownPath(in environment: CommandEnvironment) throws -> String {
        let real = try realPath()
        guard let called = try calledName() else { return real }
        let folders = (environment.variables["PATH"] ?? "").split(separator: ":").map(String.init)
        let candidates = called.contains("/") ? [called] : folders.map { "\($0)/\(called)" }
        let found = candidates.first { candidate in
            guard access(candidate, X_OK) == 0, let path = realpath(candidate, nil) else { return false }
            defer { free(path) }
            return String(cString: path) == real
        }
        return try found.map { try absolute($0) } ?? real
    }

    /// The program's name as it was called (proc(5), `/proc/self/cmdline`); nil when it is unknown.
    private static func calledName() throws -> String? {
        guard let file = fopen("/proc/self/cmdline", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = fread(&buffer, 1, buffer.count - 1, file)
        let name = String(
            decoding: buffer[..<count].prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    private static func realPath() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw CoreError.programMissing("clover") }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
