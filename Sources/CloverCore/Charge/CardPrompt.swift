import CloverPayments

/// Reads a card: JSON on standard input, or questions at a terminal that do not show what is typed.
enum CardPrompt {
    static func read(limit: Int, in environment: CommandEnvironment) async throws -> CardData {
        guard environment.terminal.isInputTerminal, environment.terminal.isErrorTerminal else {
            return try CardData(json: try environment.readStandardInput(limit))
        }
        func ask(_ question: String) async throws -> String {
            let diagnostics = environment.diagnostics
            guard let bytes = try await environment.readHiddenLine(limit, { diagnostics.request(question) }) else {
                throw TypedCardFault.card(.absent)
            }
            let line = String(decoding: bytes, as: UTF8.self)
            return String(line.filter { !$0.isWhitespace })
        }
        let number = try await ask("card number (not shown):")
        let expiry = try await ask("month and year of expiry, such as 12/30 (not shown):")
        let code = try await ask("security code (not shown):")
        let parts = expiry.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw TypedCardFault.expiry }
        do throws(CardData.Fault) {
            return try CardData(number: number, month: parts[0], year: parts[1], code: code)
        } catch {
            throw TypedCardFault.card(error)
        }
    }
}
