import CloverAuth
import CloverCalendar
import CloverCore
import CloverPayments
import Glibc

/// Reads a card: as JSON from standard input or, at a terminal, with prompts that do not echo. Each value is checked as it
/// is typed, and asked for again until it is right, or the input ends.
enum CardPrompt {
    /// Maximum size of the input, in bytes.
    private static let limit = 16 << 10

    static func read(in environment: CommandEnvironment) async throws -> CardData {
        guard environment.terminal.isInputTerminal, environment.terminal.isErrorTerminal else {
            return try CardData(json: try environment.readStandardInput(limit))
        }
        let number = try await ask("card number (not shown):", in: environment) { text throws(TypedCardFault) in
            try checked { () throws(CardData.Fault) in try CardData.checkNumber(text) }
            return text
        }
        let now = CivilTime(secondsSince1970: Int(environment.clock.wall() / 1000) - longestDelay)
        let expiry = try await ask(
            "expiration date, such as 12/30 (not shown):", in: environment
        ) { text throws(TypedCardFault) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw .expiry }
            try checked { () throws(CardData.Fault) in
                try CardData.checkExpiry(month: parts[0], year: parts[1], now: (now.year, now.month))
            }
            return (month: parts[0], year: parts[1])
        }
        let code = try await ask("security code (not shown):", in: environment) { text throws(TypedCardFault) in
            try checked { () throws(CardData.Fault) in try CardData.checkCode(text, ofCard: number) }
            return text
        }
        return try CardData(number: number, month: expiry.month, year: expiry.year, code: code)
    }

    /// Seconds by which a month ends later than in UTC in the last time zone, UTC-12.
    private static let longestDelay = 12 * 3600

    /// Asks until `value` accepts what was typed, and says each time why it did not.
    private static func ask<Value>(
        _ question: String, in environment: CommandEnvironment, _ value: (String) throws(TypedCardFault) -> Value
    ) async throws -> Value {
        let diagnostics = environment.diagnostics
        while true {
            guard let bytes = try await environment.readHiddenLine(limit, { diagnostics.request(question) }) else {
                throw TypedCardFault.card(.absent)
            }
            let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
            do throws(TypedCardFault) {
                return try value(text)
            } catch {
                diagnostics.request("\(error.reason): \(error.remedy)")
            }
        }
    }

    private static func checked(_ check: () throws(CardData.Fault) -> Void) throws(TypedCardFault) {
        do throws(CardData.Fault) { try check() } catch { throw .card(error) }
    }
}

/// What is wrong with a card entered at the prompts. Never holds the typed text.
enum TypedCardFault: Error, Equatable, Sendable {
    /// The expiration date is not a month and a year separated by a slash.
    case expiry
    case card(CardData.Fault)
}

/// This machine's IP address, for the ecommerce API's header with the client's address.
enum LocalAddress {
    /// The first IPv4 address that is not on the loopback interface (getifaddrs(3)), or else the loopback address.
    static func current() -> String {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return "127.0.0.1" }
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry {
            entry = interface.pointee.ifa_next
            guard let address = interface.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                interface.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return "127.0.0.1"
    }
}
