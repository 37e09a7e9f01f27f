internal import CJQ
internal import CloverRecords

/// Runs a program that may read ahead with `input`, counts lines, or slurps: one thread processes the whole stream.
final class StreamRun {
    private let pipeline: Pipeline
    private let engine: JQEngine
    private let parser = RecordParser()
    private var slice: RecordSlice?
    /// The index of the next record in the slice's batch.
    private var next = 0
    private var lines = 0
    private var isAtEnd = false

    init(pipeline: Pipeline, engine: JQEngine) {
        self.pipeline = pipeline
        self.engine = engine
    }

    /// Returns when the stream has ended, the program has halted, or the run was stopped.
    func run() throws(JQError) {
        // Both are only used inside `engine.run` below.
        engine.nextInput = { [unowned self] in nextValue() }
        engine.deliver = { [unowned self] in deliver(isFinal: false) }
        if pipeline.program.options.slurp {
            var all = jv_array()
            while let value = nextValue() { all = jv_array_append(all, value) }
            _ = take(try engine.run(consuming: all)) { message in
                .failure(RecordFailure(index: 0, id: nil, message: message))
            }
        } else {
            while let value = nextValue(), let slice {
                let index = next - 1
                let goesOn = take(try engine.run(consuming: value)) { slice.failure(at: index, message: $0) }
                if !goesOn { break }
            }
        }
        engine.nextInput = nil
        engine.deliver = nil
        _ = deliver(isFinal: true)
    }

    /// Returns false if the run is over.
    private func take(_ outcome: JQEngine.Outcome, _ failure: (String) -> ResultPart.Event) -> Bool {
        switch outcome {
        case .finished: return true
        case .failed(let message):
            engine.part.append(failure(message))
            return true
        case .halted(let halt):
            engine.part.halt = halt
            return false
        case .stopped: return false
        }
    }

    /// The next valid record, owned by the caller; invalid ones are reported and skipped.
    private func nextValue() -> jv? {
        while true {
            guard let slice = currentSlice() else {
                // jq keeps the line number when it first reaches the end, and has none after that.
                if isAtEnd { lines = 0 }
                isAtEnd = true
                engine.setLineNumber(lines)
                return nil
            }
            let index = next
            next += 1
            lines += 1
            engine.setLineNumber(lines)
            let range = slice.batch.records[index].range
            let parsed = slice.batch.bytes.withUnsafeBytes { bytes in
                parser.parse(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound...range.upperBound]))
            }
            switch parsed {
            case .value(let value): return value
            case .failed(let message):
                engine.part.append(slice.failure(at: index, message: "parse error: \(message)"))
            }
        }
    }

    /// The slice with the next record; nil at the end.
    private func currentSlice() -> RecordSlice? {
        if let slice, next < slice.records.upperBound { return slice }
        if let slice {
            pipeline.release(slice)
            self.slice = nil
            // Delivers what is ready before this thread waits for records.
            guard deliver(isFinal: false) else { return nil }
        }
        guard let slice = pipeline.nextSlice() else { return nil }
        self.slice = slice
        next = slice.records.lowerBound
        return slice
    }

    private func deliver(isFinal: Bool) -> Bool {
        defer { engine.part = ResultPart() }
        return pipeline.deliver(engine.part, to: 0, isFinal: isFinal)
    }
}
