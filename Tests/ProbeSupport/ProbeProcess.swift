package import CloverSystem
import FoundationEssentials
import Glibc
import Synchronization

/// A run of `rate-limit-probe`, the program that plays another process in tests.
package final class ProbeProcess: Sendable {
    /// Its process id.
    package let id: Int32
    private let channel: Descriptor
    private let hasEnded = Mutex(false)

    /// Starts the probe; its standard input and output are this value's to write and read.
    package convenience init(_ arguments: String...) throws(ErrorNumber) {
        try self.init(arguments)
    }

    package init(_ arguments: [String]) throws(ErrorNumber) {
        // One socket for both directions, close-on-exec from birth: no other child started meanwhile can keep it open.
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ErrorNumber(errno) }
        channel = Descriptor(owning: ends[0])
        let theirs = Descriptor(owning: ends[1])

        let path = try Self.path()
        var plan = ChildPlan(
            path: path, words: [path] + arguments, variables: ProcessInfo.processInfo.environment)
        plan.input = .descriptor(theirs.number)
        plan.output = .descriptor(theirs.number)
        do throws(ChildPlan.StartError) {
            id = try plan.start()
        } catch {
            throw ErrorNumber(error.errno)
        }
    }

    deinit {
        if !hasEnded.withLock({ $0 }) {
            _ = kill(id, SIGKILL)
            _ = waitpid(id, nil, 0)
        }
    }

    /// Sends the one byte that a probe waits for.
    package func go() {
        _ = send(channel.number, "g", 1, Int32(MSG_NOSIGNAL))
    }

    /// Ends the probe's standard input, which makes a holding probe exit.
    package func endInput() {
        _ = shutdown(channel.number, Int32(SHUT_WR))
    }

    /// Reads the next line without its line break; nil at the end of the output.
    package func line() async -> String? {
        await DedicatedThread.run { self.readLine() }
    }

    /// Reads all lines up to the end of the output, which is the probe's exit.
    package func lines() async -> [String] {
        await DedicatedThread.run {
            var lines: [String] = []
            while let line = self.readLine() { lines.append(line) }
            return lines
        }
    }

    /// Kills the probe as `kill -9` does, and waits until it is gone.
    package func killNow() async {
        _ = kill(id, SIGKILL)
        _ = await exitStatus()
    }

    /// Waits for the end of the probe.
    ///
    /// - Returns: its exit status, or minus the number of the signal that killed it.
    package func exitStatus() async -> Int32 {
        await DedicatedThread.run {
            var status: Int32 = 0
            while waitpid(self.id, &status, 0) < 0, errno == EINTR {}
            self.hasEnded.withLock { $0 = true }
            // wait(2): the low seven bits are the signal, the next byte the exit status.
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        }
    }

    private func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = recv(channel.number, &byte, 1, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// The probe is built into the directory of the test program.
    private static func path() throws(ErrorNumber) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let length = buffer.withUnsafeMutableBytes { space in
            space.baseAddress.map { readlink("/proc/self/exe", $0, space.count) } ?? -1
        }
        guard length > 0 else { throw ErrorNumber(errno) }
        let program = String(decoding: buffer[..<length], as: UTF8.self)
        guard let slash = program.lastIndex(of: "/") else { throw ErrorNumber(ENOENT) }
        return program[...slash] + "rate-limit-probe"
    }
}
