import CloverTestSupport
import Testing

/// Which libraries the built program cannot start without, as the loader would find out (elf(5), DT_NEEDED).
@Suite("install: libraries")
struct LibraryTests {
    /// The C library, and the runtime of C++ and of the compiler that Swift is linked with.
    private static let base: Set = [
        "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    ]
    /// What Debian's packages bring that the program's own depends on. libcurl and libsystemd are opened when they are
    /// needed, so that they are not among them; but they may be.
    private static let own: Set = [
        "libsqlite3.so.0", "libjq.so.1", "libz.so.1", "libzstd.so.1", "libqrencode.so.4", "libcurl.so.4",
        "libsystemd.so.0",
    ]

    @Test("the program needs Debian's libraries that it names, the C library, and nothing of Swift's")
    func needed() async throws {
        let names = try await needed(by: "clover")
        #expect(names.isSubset(of: Self.base.union(Self.own)), "\(names.sorted())")
        // What would pass with nothing found would prove nothing.
        #expect(names.isSuperset(of: ["libc.so.6", "libsqlite3.so.0", "libjq.so.1"]), "\(names.sorted())")
    }

    @Test("the emulator needs the C library and what compresses")
    func neededByEmulator() async throws {
        let names = try await needed(by: "clover-emulator")
        #expect(names.isSubset(of: Self.base.union(["libz.so.1"])), "\(names.sorted())")
        #expect(names.contains("libc.so.6"))
    }

    @Test("no folder of the machine that built it is searched for libraries")
    func searchPath() async throws {
        for program in ["clover", "clover-emulator"] {
            let entries = try await dynamicSection(of: program)
            for line in entries where line.contains("(RPATH)") || line.contains("(RUNPATH)") {
                // Swift's own tool writes this one, relative to the program.
                #expect(line.contains("[$ORIGIN]"), "\(program): \(line)")
            }
        }
    }

    private func needed(by program: String) async throws -> Set<String> {
        Set(
            try await dynamicSection(of: program).filter { $0.contains("(NEEDED)") }.compactMap {
                $0.firstMatch(of: /\[([^\]]+)\]/).map { String($0.1) }
            })
    }

    private func dynamicSection(of program: String) async throws -> [String] {
        let result = try await CommandRunner(executable: "/usr/bin/readelf", environment: ["LC_ALL": "C"]).run([
            "--dynamic", "--wide", try CommandRunner.builtProgram(program),
        ])
        try #require(result.ending == .exited(0), "\(result)")
        return result.lines
    }
}
