import CloverSystem
import Glibc
import Testing

@Suite("Programs that are started")
struct ChildPlanTests {
    /// What `/bin/sh` says when it runs `line`, and its status.
    private func answer(
        to line: String, variables: [String: String] = [:], _ change: (inout ChildPlan) -> Void = { _ in }
    ) async throws -> (text: String, status: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var plan = ChildPlan(shell: line, variables: variables)
        plan.input = .nothing
        plan.output = .descriptor(ends[1])
        change(&plan)
        let process = try plan.start()
        close(ends[1])
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        close(ends[0])
        let status = try await DedicatedThread.run { try ChildStatus.wait(for: process) }
        return (String(decoding: bytes, as: UTF8.self), status)
    }

    @Test("a program has the given variables alone, and its status is a shell's")
    func variables() async throws {
        let ended = try await answer(to: "echo $WORD-$HOME; exit 7", variables: ["WORD": "w"])
        #expect(ended.text == "w-\n")
        #expect(ended.status == 7)
        #expect(try await answer(to: "kill -TERM $$").status == 128 + SIGTERM)
    }

    @Test("no descriptor but the standard streams is passed on")
    func descriptors() async throws {
        let own = open("/dev/null", O_RDONLY)
        try #require(own > STDERR_FILENO)
        defer { close(own) }
        // Descriptor 3 is the listing's own.
        #expect(try await answer(to: "ls /proc/self/fd | tr '\\n' ' '").text == "0 1 2 3 ")
    }

    @Test("no signal is blocked, and SIGPIPE ends it")
    func signals() async throws {
        let text = try await answer(to: "grep -E '^Sig(Blk|Ign)' /proc/self/status").text
        let masks = text.split(separator: "\n").compactMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
        try #require(masks.count == 2)
        #expect(masks[0] == 0)
        #expect(masks[1] & 1 << UInt64(SIGPIPE - 1) == 0)
    }

    @Test("it may lead a group or a session")
    func standing() async throws {
        let numbers = "cut -d' ' -f1,5,6 /proc/$$/stat"
        let ours = try await answer(to: numbers).text.split(whereSeparator: \.isWhitespace)
        #expect(ours[1] == String(getpgrp()))
        let group = try await answer(to: numbers) { $0.standing = .ownGroup }.text.split(whereSeparator: \.isWhitespace)
        #expect(group[0] == group[1])
        #expect(group[2] == String(getsid(0)))
        let session = try await answer(to: numbers) { $0.standing = .ownSession }
        let sessionNumbers = session.text.split(whereSeparator: \.isWhitespace)
        #expect(sessionNumbers[0] == sessionNumbers[2])
    }

    @Test("a program that is not there is an error with its number")
    func missing() {
        let plan = ChildPlan(path: "/nowhere/program", words: ["program"], variables: [:])
        #expect(throws: ChildPlan.StartError(errno: ENOENT)) { try plan.start() }
    }

    @Test("programs are found in PATH, and in no folder without a name")
    func search() {
        #expect(ProgramSearch.find("sh", path: "/nowhere::/bin") == "/bin/sh")
        #expect(ProgramSearch.find("sh", path: ":") == nil)
        #expect(ProgramSearch.find("/bin", path: nil) == nil)
        #expect(ProgramSearch.find("/bin/sh", path: "") == "/bin/sh")
    }

    @Test("secrets of ours are not passed on")
    func secrets() {
        let variables = ["CLOVER_ACCESS_TOKEN": "t", "CLOVER_APP_SECRET": "s", "CLOVER_PROFILE": "p"]
        #expect(ChildVariables.withoutSecrets(variables) == ["CLOVER_PROFILE": "p"])
    }

    @Test("a child that no thread can watch is killed and reaped at once")
    func withoutThread() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var plan = ChildPlan(shell: "trap '' TERM; echo $$; exec sleep 3600", variables: [:])
        plan.output = .descriptor(ends[1])
        var process: Int32 = 0
        #expect(throws: ChildPlan.StartError(errno: EAGAIN)) {
            try plan.start(
                watchedBy: "test",
                startThread: { _, _ in
                    var buffer = [UInt8](repeating: 0, count: 64)
                    let count = read(ends[0], &buffer, buffer.count)
                    process = Int32(String(decoding: buffer.prefix(max(count, 1) - 1), as: UTF8.self)) ?? 0
                    return EAGAIN
                }, onEnd: { _ in Issue.record("nothing watches it") })
        }
        for end in ends { close(end) }
        #expect(process > 0)
        // A zombie would still be there.
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }
}
