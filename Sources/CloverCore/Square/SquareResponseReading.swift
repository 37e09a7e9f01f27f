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

    /// Prints a line for each URL.
    ///
    /// - Throws: after the last one, unless each tells of a payment: `SquareError.notResponse` or `.notPaid` for a single
    ///   URL, `.responsesFailed` for several; `.noResponseGiven` for none. At once: what is wrong with `charge`.
    package func run(in environment: CommandEnvironment) async throws {
        var tally = SquareResponseTally()
        var settlement = SquareSettlement(isOn: settles, isForMany: urls.count != 1, in: environment)
        if checksMarker, let notice = rules.markNotice { environment.diagnostics.notice(notice) }
        if let charge { _ = try await SquareHandOffLookup.find(charge, in: environment) }
        if urls.isEmpty {
            let lines = try environment.openLines(nil)
            while let text = try await lines.next() {
                try Task.checkCancellation()
                let url: String? =
                    switch text {
                    case .line(let bytes): Self.trimmed(bytes)
                    // No URL is as long, so that it is read as one that is no response.
                    case .tooLong: ""
                    }
                if let url { try await read(url, &tally, &settlement, in: environment) }
            }
        } else {
            for url in urls { try await read(url, &tally, &settlement, in: environment) }
        }
        settlement.finish()
        if let error = tally.error { throw error }
    }

    private func read(
        _ url: String, _ tally: inout SquareResponseTally, _ settlement: inout SquareSettlement,
        in environment: CommandEnvironment
    ) async throws {
        let result = rules.platform.outcome(of: url, profile: rules.profile)
        tally.add(result, isOfAndroid: rules.isAndroidAnswer(url))
        let line = SquareAnswer.response(
            url: url, result, isSquareResponse: checksMarker ? rules.mark(of: url) : nil)
        try await SquareLine.print(line, in: environment)
        if let charge, case .success(let outcome) = result {
            try await settlement.settle(charge, by: outcome)
        } else {
            await settlement.settle(by: result)
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
