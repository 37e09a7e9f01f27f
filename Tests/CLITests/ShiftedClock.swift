import CloverTestSupport
import Foundation
import Testing

/// A clock that is wrong by so many seconds, by a library that is compiled for it and loaded before the C library.
struct ShiftedClock: Sendable {
    let seconds: Int

    /// A sandbox whose commands have this clock.
    func arm(_ sandbox: Sandbox) async throws -> Sandbox {
        let path = sandbox.directory["shifted-clock.so"]
        if !FileManager.default.fileExists(atPath: path) {
            let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let folders = search.split(separator: ":")
            let compilers = ["clang", "cc", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
            let compiler = try #require(
                compilers.first { FileManager.default.isExecutableFile(atPath: $0) }, "no C compiler in PATH")
            let result = try await CommandRunner(executable: compiler, environment: ["PATH": search]).run([
                "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", path, Fixture.path("shifted-clock.c"),
            ])
            try #require(result.ending == .exited(0), "\(result)")
        }
        return sandbox.with(["LD_PRELOAD": path, "CLOCK_SHIFT": String(seconds)])
    }
}
