import CloverTestSupport
import Testing

@Suite("export: random sequences of runs")
struct ExportRandomTests {
    @Test(
        "after any history, a run that ends with 0 leaves the directory with the shop's records",
        arguments: RandomExports.Kind.allCases)
    func random(kind: RandomExports.Kind) async throws {
        let seeds = Scale.isFull ? (0..<4).map { _ in UInt64.random(in: 0...UInt64.max) } : [20_261_125]
        let count = Scale.pick(12, full: 60)
        var (complete, killed) = (0, 0)
        for seed in seeds {
            let flags = ["--orders", "120", "--now", "clock", "--seed", "\(seed % 1000)", "--no-limits"]
            try await Sandbox.run(emulator: flags) { sandbox, emulator in
                var exports = RandomExports(kind, seed: seed, sandbox, emulator)
                for number in 0..<count { try await exports.step(number) }
                complete += exports.complete
                killed += exports.killed
            }
        }
        #expect(complete > seeds.count * count / 3 && killed > 0)
        try Scale.report(
            "Random exports to one directory: \(kind)", count: "\(seeds.count * count) runs, \(killed) killed",
            result: "after each of the \(complete) that ended with 0, the directory has what the shop has")
    }
}
