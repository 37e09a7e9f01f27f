import CloverTestSupport
import Foundation
import Testing

/// Kills a command at a chosen system call, by a library that is compiled for it and loaded before the C library.
struct KillPoint: Sendable {
    enum Side: String, Sendable { case before, after }
    /// What is lost as when the power fails: bytes of files, or also names, new ones and those that another file had before,
    /// that were not synced.
    enum Cut: String, Sendable, CaseIterable { case bytes, names }

    /// The number of the call among those that count, from 1; nil kills at none and only counts.
    let number: Int?
    let side: Side
    var cut: Cut?
    /// Which calls are numbered; nil for all.
    var among: Calls?

    /// Calls of one name, such as `rename`, that are about something with this text in it.
    struct Calls: Sendable {
        let name: String
        let about: String
    }

    /// The folder of the library, which goes away with the test process.
    private static let folder: Result<TemporaryDirectory, any Error> = {
        atexit { _ = try? FileManager.default.removeItem(atPath: KillPoint.folder.get().path) }
        return Result { try TemporaryDirectory() }
    }()

    /// The library, compiled once for all tests.
    private static let library: Task<String, any Error> = Task {
        let path = try KillPoint.folder.get()["kill-point.so"]
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = search.split(separator: ":")
        let compilers = ["clang", "cc", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
        let compiler = try #require(
            compilers.first { FileManager.default.isExecutableFile(atPath: $0) }, "no C compiler in PATH")
        let runner = CommandRunner(executable: compiler, environment: ["PATH": search])
        let result = try await runner.run([
            "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", path, Fixture.path("kill-point.c"),
        ])
        try #require(result.ending == .exited(0), "\(result)")
        return path
    }

    /// A sandbox whose commands die at this point. The calls go to the file `log` of the sandbox.
    ///
    /// - Parameter everywhere: whether files of the whole sandbox count, and not only those of the state.
    func arm(_ sandbox: Sandbox, log: String, everywhere: Bool = false) async throws -> Sandbox {
        var variables = [
            "LD_PRELOAD": try await Self.library.value,
            "KILL_POINT_FOLDER": everywhere ? sandbox.directory.path : sandbox.directory[sandbox.stateFolder],
            "KILL_POINT_SIDE": side.rawValue, "KILL_POINT_LOG": sandbox.directory[log],
        ]
        if let number { variables["KILL_POINT_AT"] = String(number) }
        if let among {
            variables["KILL_POINT_CALL"] = among.name
            variables["KILL_POINT_ABOUT"] = among.about
        }
        if let cut { variables["KILL_POINT_CUT"] = cut.rawValue }
        return sandbox.with(variables)
    }

    /// The calls that a log names, in order, such as `rename us_M_A.json`.
    static func calls(in sandbox: Sandbox, log: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: sandbox.directory[log]) else { return [] }
        let lines = String(decoding: try sandbox.directory.read(log), as: UTF8.self).split(separator: "\n")
        return lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    }
}
