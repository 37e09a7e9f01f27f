import ArgumentParser
import CloverEmulator
import Glibc

/// `clover-emulator reader-driver`
struct ReaderDriverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader-driver",
        abstract: "Emulate a driver of Clover Go card readers",
        usage: "clover-emulator reader-driver [<options>]",
        discussion: """
            Examples:
              clover reader scan --first --driver 'clover-emulator reader-driver'
              clover-emulator reader-driver --seed 7 --pace 0.1 --fault busy@1
              clover-emulator reader-driver --readers 1 --card tap --state paid.jsonl

            A program for clover's --driver and CLOVER_READER_DRIVER: it speaks the \
            protocol of clover-reader-driver(5) on standard input and output. Its \
            readers appear one after another, their signal strength varies and \
            their batteries drain. Of three readers the first is ready for use, \
            the second needs firmware and keys first, and the third needs firmware \
            but its battery is too low for the update.

            A FAULT is KIND[@NUMBER]. Kinds for a reader, counted from 1: \
            out-of-range, busy, update, keys, low-battery, drop-update, drop, \
            init-failed. Kinds for a charge of this run, counted from 1: \
            pin-cancelled, no-card, decline, partial, try-again, slow-card, \
            lose-answer, which charges and exits without a response, and \
            crash-charge, which exits before charging. Without a number, a fault \
            applies to all. A script has one fault per line; '#' begins a comment.
            """)

    @Option(help: "Seed that readers and payments are generated from.")
    var seed: UInt64 = 1

    @Option(help: "Number of readers.")
    var readers: Int = 3

    @Option(help: "Factor for all delays, such as 0.1; 0 for no delays.")
    var pace: Double = 1

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp("Inject a fault; can be given more than once.", valueName: "fault"))
    var faults: [String] = []

    @Option(help: ArgumentHelp("Read faults from this file.", valueName: "file"), completion: .file())
    var script: String?

    @Option(
        name: .customLong("card"),
        help: ArgumentHelp(
            "How cards are presented: tap, dip or swipe; several values are used in rotation.",
            valueName: "entry"))
    var cards: [ReaderDriverOptions.CardEntry] = []

    @Option(
        help: ArgumentHelp(
            "File that stores payments and updates; without it they are lost at exit, and the driver lacks the capability 'recall'.",
            valueName: "file"),
        completion: .file())
    var state: String?

    func validate() throws {
        guard (0...1000).contains(readers) else { throw ValidationError("--readers must be from 0 to 1000") }
        guard pace >= 0, pace <= 1000 else { throw ValidationError("--pace must be from 0 to 1000") }
        for fault in faults { _ = try Self.parse(fault) }
    }

    func run() throws {
        // A closed output ends the program in order, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        var options = ReaderDriverOptions()
        options.seed = seed
        options.readers = readers
        options.pace = pace
        options.faults = try faults.map { try Self.parse($0) } + scripted()
        if !cards.isEmpty { options.cards = cards }
        options.statePath = state
        do {
            var program = try ReaderDriverProgram(options)
            throw ExitCode(program.run())
        } catch let error as JournalError {
            FileOutput.write("clover-emulator: \(error)\n", to: STDERR_FILENO)
            throw ExitCode(74)
        }
    }

    private func scripted() throws -> [ReaderFault] {
        guard let script else { return [] }
        guard let file = fopen(script, "r") else {
            throw ValidationError("--script \(script): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        let (faults, badLine) = ReaderFault.script(String(decoding: bytes, as: UTF8.self))
        if let badLine { throw ValidationError("--script \(script): line \(badLine) is not a fault") }
        return faults
    }

    private static func parse(_ text: String) throws -> ReaderFault {
        guard let fault = ReaderFault(parsing: text) else {
            let kinds = ReaderFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--fault \(text): expected KIND[@NUMBER] with KIND one of \(kinds)")
        }
        return fault
    }
}

extension ReaderDriverOptions.CardEntry: ExpressibleByArgument {}
