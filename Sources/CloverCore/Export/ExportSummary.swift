import CloverAPI

/// The one line that `--summary` writes.
struct ExportSummary {
    let tally: ExportTally
    let hasManyMerchants: Bool
    /// Milliseconds.
    let duration: Int64
    let outcome: Outcome

    /// How the run ended.
    enum Outcome {
        case done
        /// Another export runs to the same destination, and `--if-running skip` was asked for.
        case skipped
        /// With what is said of it, where anything is.
        case failed(FailureFacts?)
    }

    /// Line break included.
    var text: String {
        let resources = tally.resources
        var line = JSONLine()
        line.add("event", "summary")
        switch outcome {
        case .done: line.add("ok", resources.allSatisfy { $0.isDone })
        case .skipped:
            line.add("ok", true)
            line.add("skipped", true)
        case .failed(let failure):
            line.add("ok", false)
            // What is a resource's own stands there.
            if let failure, resources.allSatisfy({ $0.failure == nil }) { line.add("error", json: failure.json) }
        }
        if hasManyMerchants {
            var merchants = JSONLine()
            var known: Set<String> = []
            for merchant in resources.map(\.merchant) where known.insert(merchant).inserted {
                let own = resources.filter { $0.merchant == merchant }
                var entry = JSONLine()
                entry.add("ok", own.allSatisfy { $0.isDone })
                entry.add("resources", json: Self.json(own))
                merchants.add(merchant, json: entry.text)
            }
            line.add("merchants", json: merchants.text)
        } else {
            line.add("resources", json: Self.json(resources))
        }
        line.add("calls", Int64(tally.statistics.requests))
        line.add("retries", Int64(tally.statistics.retries))
        line.add("waited", json: ManifestLine.seconds(tally.statistics.secondsWaited))
        line.add("seconds", json: ManifestLine.seconds(Double(duration) / 1000))
        return line.text + "\n"
    }

    private static func json(_ resources: [ExportTally.Resource]) -> String {
        var object = JSONLine()
        for resource in resources {
            var entry = JSONLine()
            entry.add("ok", resource.isDone)
            // Time ran out before its turn came, or something ended the run.
            if !resource.isReached { entry.add("reached", false) }
            entry.add("records", Int64(resource.records))
            entry.add("files", Int64(resource.files))
            entry.add("bytes", Int64(resource.bytes))
            entry.add("newest", resource.newest.map { InstantText.utc(milliseconds: $0) })
            if let failure = resource.failure { entry.add("error", json: failure.json) }
            object.add(resource.name, json: entry.text)
        }
        return object.text
    }
}
