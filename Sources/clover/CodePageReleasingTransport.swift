import CloverHTTP
import CloverSystem
import Glibc
import Synchronization

/// A transport that releases memory of code that is no longer needed: before the first request is sent, after the first
/// response, and once a run of many pages is in its steady state. It does so on a separate thread, so that no request
/// waits for it. Requests for single records skip this: they need too little memory to justify the cost.
final class CodePageReleasingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let requests = Atomic(0)
    private let responses = Atomic(0)

    /// The number of responses after which the run is in its steady state: the first page, and all concurrent pages.
    private static let stride = 6

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        guard Self.isPage(request.url) else {
            return try await transport.send(request, departure: departure, onEnd: onEnd)
        }
        if requests.add(1, ordering: .relaxed).newValue == 1 { Self.release() }
        let response = try await transport.send(request, departure: departure, onEnd: onEnd)
        let number = responses.add(1, ordering: .relaxed).newValue
        if number == 1 || number == Self.stride { Self.release() }
        return response
    }

    /// Whether the URL requests a page of a list.
    private static func isPage(_ url: String) -> Bool {
        url.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().contains { query in
            query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "limit=".utf8) }
        }
    }

    private static func release() {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-code") { ProgramCode.release() }
        } catch {
            // No thread available: the memory stays in use.
        }
    }
}

/// The code of the program and its libraries, as far as it is resident in memory.
enum ProgramCode {
    /// Removes the resident code from memory. The start of a run touches more code than the run does later, and the
    /// kernel maps in sixteen pages for each one that is touched (filemap_map_pages). Code that is needed again comes
    /// back from the page cache on its next use: it is mapped from files and never written to, so nothing is lost
    /// (madvise(2), MADV_DONTNEED). Takes a few tenths of a millisecond.
    static func release() {
        for range in ranges() {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The address ranges of executable file mappings, from /proc/pid/maps (proc(5)); none if it cannot be read.
    /// Parsed as bytes: parsing text would take a millisecond of a short run.
    private static func ranges() -> [Range<UInt>] {
        let maps = contents("/proc/self/maps")
        return maps.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
            guard words.count == 6, words[1].elementsEqual("r-xp".utf8), words[5].first == UInt8(ascii: "/") else {
                return nil
            }
            let bounds = words[0].split(separator: UInt8(ascii: "-"))
            guard bounds.count == 2, let start = number(bounds[0]), let end = number(bounds[1]), start < end else {
                return nil
            }
            return start..<end
        }
    }

    /// Parses a number in lower-case hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt? {
        var result: UInt = 0
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            guard result >> 60 == 0 else { return nil }
            result = result << 4 | UInt(value)
        }
        return digits.isEmpty ? nil : result
    }

    private static func contents(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(file, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
