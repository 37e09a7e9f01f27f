internal import CJQ
internal import CloverRecords

/// What one thread does: compile the program, run it on records, hand the results on.
struct Worker {
    let pipeline: Pipeline
    let number: Int

    func run() {
        _ = OnigurumaSetup.once
        do throws(JQError) {
            let pipeline = pipeline
            let engine = try JQEngine(program: pipeline.program) { pipeline.isStopped }
            pipeline.compiled(engine.interrupter, worker: number)
            if pipeline.program.needsWholeStream {
                StreamRun(pipeline: pipeline, engine: engine).run()
            } else {
                runSlices(engine)
            }
            withExtendedLifetime(engine) { pipeline.retire(worker: number) }
        } catch {
            pipeline.stop(.failed(error))
        }
        pipeline.ended()
    }

    private func runSlices(_ engine: JQEngine) {
        let parser = RecordParser()
        while let slice = pipeline.nextSlice() {
            engine.deliver = { [unowned engine] in
                defer { engine.part = ResultPart() }
                return pipeline.deliver(engine.part, to: slice.sequence, isFinal: false)
            }
            runRecords(of: slice, engine, parser)
            pipeline.release(slice)
            let isTaken = pipeline.deliver(engine.part, to: slice.sequence, isFinal: true)
            engine.part = ResultPart()
            if !isTaken { break }
        }
        engine.deliver = nil
    }

    /// Leaves the rest of the results in the engine's part.
    private func runRecords(of slice: RecordSlice, _ engine: JQEngine, _ parser: RecordParser) {
        slice.batch.bytes.withUnsafeBytes { bytes in
            for index in slice.records {
                let range = slice.batch.records[index].range
                // The newline behind the record belongs to it here.
                let line = UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound...range.upperBound])
                switch parser.parse(line) {
                case .failed(let message):
                    engine.part.append(slice.failure(at: index, message: "parse error: \(message)"))
                case .value(let value):
                    switch engine.run(consuming: value) {
                    case .finished: break
                    case .failed(let message): engine.part.append(slice.failure(at: index, message: message))
                    case .halted(let halt):
                        engine.part.halt = halt
                        return
                    case .stopped: return
                    }
                }
            }
        }
    }
}
