import CloverTestSupport
import Foundation
import Testing

/// The wall clock of the programs that are started with `variables`, which a test sets; by a library that is compiled for
/// it and loaded before the C library. All other clocks are the system's.
struct WallClock {
    let variables: [String: String]
    private let directory: TemporaryDirectory

    /// - Parameter seconds: how far it is ahead of the system's.
    init(ahead seconds: Int64 = 0, in directory: TemporaryDirectory) async throws {
        self.directory = directory
        let library = directory["wall-clock.so"]
        // The compiler comes with Swift.
        let compiled = try await CommandRunner(
            executable: "/usr/bin/env", environment: ProcessInfo.processInfo.environment
        ).run(["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, Fixture.path("wall-clock.c")])
        try #require(compiled.status == 0, "\(compiled)")
        variables = ["LD_PRELOAD": library, "WALL_CLOCK": directory["clock"]]
        _ = try directory.write("clock", [UInt8](repeating: 0, count: 8))
        try set(seconds)
    }

    /// Moves the clock by this many seconds against the system's. Running programs see it at once.
    func set(_ seconds: Int64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: directory["clock"]))
        defer { file.closeFile() }
        try file.write(contentsOf: withUnsafeBytes(of: seconds.littleEndian) { Data($0) })
    }
}
