import CloverTestSupport

extension EmulatorProcess {
    /// A call of the emulator's control API, such as `/emulator/churn?changes=10`.
    @discardableResult
    func control(_ target: String, method: String = "POST") async throws -> JSONValue {
        try JSONValue(String(decoding: try await body(target, method: method), as: UTF8.self))
    }

    /// All current records of a list, one line each.
    func recordLines(_ list: String) async throws -> [String] {
        try await body("/emulator/records/\(list)", method: "GET").split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func body(_ target: String, method: String) async throws -> [UInt8] {
        let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
        let result = try await curl.run([
            "--disable", "--silent", "--show-error", "--fail", "--globoff", "--request", method, "\(url)\(target)",
        ])
        guard result.status == 0 else { throw CommandError.unreadable(result.description) }
        return result.output
    }
}
