import CloverCore
import CloverHTTP
import CloverJSON
import CloverMCP
import CloverOutput

/// Runs the command of a tool in this process, and makes a result of what it prints.
struct AssistantCall: Sendable {
    let tool: AssistantTool
    let arguments: [String: JSONTree]
    /// Options that select the sign-in.
    let connection: [String]
    /// Maximum number of bytes of the records of a result.
    let limit: Int

    /// Variables that would change what the command reports.
    private static let hiddenVariables = ["CLOVER_QUIET", "CLOVER_VERBOSE", "CLOVER_DEBUG", "CLOVER_ERRORS"]

    /// Returns the result and its content, without secrets; nil if the call was cancelled.
    func run(in environment: CommandEnvironment) async -> (result: ToolResult, content: String)? {
        let words: [String]
        do throws(ToolArgumentError) {
            try tool.checkMoney(arguments)
            words = try tool.words(arguments) + (tool.isConnected ? connection : [])
        } catch {
            let refusal = ToolResult.failure(code: "usage", status: 64, message: error.message, hint: error.hint)
            return (refusal, refusal.content)
        }
        let output = CapturedOutput(limit: limit, skipped: tool.skipped(arguments))
        let messages = CapturedMessages()
        let environment = self.environment(environment, output, messages)
        let ending = await Program.run(words, in: environment)
        await environment.standardOutput.settle()
        if ending == .cancelled || Task.isCancelled { return nil }
        let result = result(ending, output.finish(), messages.content)
        return (result, environment.diagnostics.mask.masked(result.content))
    }

    /// The environment of the command: without a terminal, without standard input, and without what hides messages or
    /// shows secrets.
    private func environment(
        _ environment: CommandEnvironment, _ output: CapturedOutput, _ messages: CapturedMessages
    ) -> CommandEnvironment {
        var nested = environment.renewed()
        for name in Self.hiddenVariables { nested.variables[name] = nil }
        nested.variables["CLOVER_SHOW_SENSITIVE"] = "0"
        nested.standardOutput = output.output()
        nested.diagnostics = Diagnostics { messages.add($0) }
        nested.terminal = TerminalFacts(isOutputTerminal: false, isErrorTerminal: false, isInputTerminal: false)
        nested.screen = TerminalCapabilities()
        let body = Array((tool.body(arguments) ?? "").utf8)
        nested.readStandardInput = { _ in body }
        nested.readInputLine = { _, _ in [] }
        nested.readHiddenLine = { _, _ in nil }
        let openLines = environment.openLines
        nested.openLines = { try $0 == nil ? NoInput() : openLines($0) }
        return nested
    }

    private func result(
        _ ending: Program.Ending, _ output: (records: [String], isCut: Bool), _ messages: CapturedMessages.Content
    ) -> ToolResult {
        var result = ToolResult()
        result.records = output.records
        result.notices = messages.notices
        result.isOfMerchant = tool.isConnected
        let status: Int32? = if case .status(let status) = ending { status } else { nil }
        let start = tool.offset(arguments)
        let end = start + Int64(output.records.count)
        if start > 0 {
            result.notices.append(
                "this begins after \(start) records: if records were added or deleted since the call before, some may be "
                    + "missing or come twice; for a sum, ask for all in one call, with fewer fields or a narrower filter"
            )
        }
        if output.isCut {
            result.notices.append("the result was cut at \(limit) bytes, between two records")
            result.nextOffset = end
            if output.records.isEmpty {
                // The next record alone is too large; the call after this one begins behind it.
                result.nextOffset = end + 1
                result.error = Self.error(
                    "too_large", .incomplete, "the next record is larger than \(limit) bytes",
                    hint: "to read a part of it, name its fields; 'clover mcp --max-result-bytes' sets the limit")
            }
        } else if status == 0 || status == tool.resultStatus?.rawValue {
            let mayHaveMore = messages.receipt?["mayHaveMore"]?.bool ?? false
            if mayHaveMore, !output.records.isEmpty { result.nextOffset = end }
            result.isComplete = !mayHaveMore
        } else {
            result.error =
                messages.error.map(explained)
                ?? Self.error("unclassified", .unclassified, "the command ended without an explanation", hint: "")
        }
        return result
    }

    /// The error of the command without the hints about options that the tool does not have. Whole commands are for
    /// people, and stay.
    private func explained(_ error: JSONTree) -> String {
        guard case .object(var members) = error, let hint = error["hint"]?.string else { return error.text }
        let options = Set(tool.options)
        let hints = hint.split(separator: "\n").filter { line in
            line.contains("clover ")
                || line.matches(of: #/--[a-z-]+/#).allSatisfy { options.contains(String($0.output)) }
        }
        members["hint"] = hints.isEmpty ? nil : .text(hints.joined(separator: "\n"))
        return JSONTree.object(members).text
    }

    private static func error(_ code: String, _ status: ExitStatus, _ message: String, hint: String) -> String {
        FailureDetails(
            code: code, status: status.rawValue, message: message, hints: hint.isEmpty ? [] : [hint], http: nil,
            path: nil
        ).json
    }
}

/// Standard input of a command that runs for a tool: messages of the client are not for it.
private struct NoInput: InputLines {
    var share: Double? { nil }

    func next(atMost count: Int) async throws -> [InputText] { [] }
}
