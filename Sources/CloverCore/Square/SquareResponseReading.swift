import CloverSquare

/// `charge square response`: what the Square app sent back.
package struct SquareResponseReading: Sendable {
    package let rules: SquareRules
    /// None reads them from standard input, one a line.
    package var urls: [String]
    /// Adds whether the URL has the mark of a request's callback.
    package var checksMarker = false
    /// Whether the journal of charges learns how its hand-offs ended.
    package var settles = true
    /// The hand-off that the one URL answers; nil finds it by state and payment.
    package var charge: String?

    package init(urls: [String], rules: SquareRules) {
        self.urls = urls
        self.rules = rules
    }

    /// So many are settled in one go, and then printed.
    private static let mostAtOnce = 500

    /// Prints a line for each URL. No line is printed before the journal has what it says, unless that cannot be written,
    /// which is said.
    ///
    /// - Throws: after the last one, unless each tells of a payment: `SquareError.notResponse` or `.notPaid` for a single
    ///   URL, `.responsesFailed` for several; `.noResponseGiven` for none. At once: what is wrong with `charge`.
    package func run(in environment: CommandEnvironment) async throws {
        var tally = SquareResponseTally()
        var settlement = SquareSettlement(isOn: settles, isForMany: urls.count != 1, in: environment)
        if checksMarker, let notice = rules.markNotice { environment.diagnostics.notice(notice) }
        if let charge {
            _ = try await SquareHandOffLookup.find(charge, in: environment)
            for url in urls { try await read(url, answering: charge, &tally, &settlement, in: environment) }
        } else if urls.isEmpty {
            let lines = try environment.openLines(nil)
            while true {
                // Those that are here already share one transaction of the journal; nobody waits for those that are not.
                let texts = try await lines.next(atMost: Self.mostAtOnce)
                if texts.isEmpty { break }
                try await read(texts.compactMap(Self.url), &tally, &settlement, in: environment)
            }
        } else {
            try await read(urls, &tally, &settlement, in: environment)
        }
        settlement.finish()
        if let error = tally.error { throw error }
    }

    private func read(
        _ urls: [String], _ tally: inout SquareResponseTally, _ settlement: inout SquareSettlement,
        in environment: CommandEnvironment
    ) async throws {
        try Task.checkCancellation()
        let results = urls.map { rules.platform.outcome(of: $0, profile: rules.profile) }
        let verdicts = await settlement.settle(by: results)
        for ((url, result), verdict) in zip(zip(urls, results), verdicts) {
            tally.add(result, isOfAndroid: rules.isAndroidAnswer(url))
            try await SquareLine.print(line(url, result), in: environment)
            settlement.tell(verdict)
        }
    }

    /// The answer of a hand-off that a person names. It is printed also when it cannot be that one's.
    private func read(
        _ url: String, answering charge: String, _ tally: inout SquareResponseTally,
        _ settlement: inout SquareSettlement, in environment: CommandEnvironment
    ) async throws {
        let result = rules.platform.outcome(of: url, profile: rules.profile)
        tally.add(result, isOfAndroid: rules.isAndroidAnswer(url))
        var trouble: (any Error)?
        if case .success(let outcome) = result {
            do {
                try await settlement.settle(charge, by: outcome)
            } catch {
                trouble = error
            }
        }
        try await SquareLine.print(line(url, result), in: environment)
        if let trouble { throw trouble }
    }

    private func line(_ url: String, _ result: Result<any SquareOutcome, SquareFailure>) -> String {
        SquareAnswer.response(url: url, result, isSquareResponse: checksMarker ? rules.mark(of: url) : nil)
    }

    /// The URL of a line; nil for an empty one.
    private static func url(_ text: InputText) -> String? {
        switch text {
        case .line(let bytes): trimmed(bytes)
        // No URL is as long, so that it is read as one that is no response.
        case .tooLong: ""
        }
    }

    /// The line without white space around it; nil when nothing is left.
    private static func trimmed(_ line: [UInt8]) -> String? {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(decoding: line[first...last], as: UTF8.self)
    }
}
