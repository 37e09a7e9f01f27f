import CloverCore
import CloverPayments
import Glibc

/// Reads a card: as JSON from standard input or, at a terminal, with prompts that do not echo.
enum CardPrompt {
    /// Maximum size of the input, in bytes.
    private static let limit = 16 << 10

    static func read(in environment: CommandEnvironment) async throws -> CardData {
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
        let expiry = try await ask("expiration date, such as 12/30 (not shown):")
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
