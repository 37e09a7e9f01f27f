internal import CJQ
internal import CloverThreads
internal import Synchronization

/// Compiles the program that a command line probably contains before the command line is parsed, because compiling
/// takes longer than the rest of a short run.
package enum ForeseenProgram {
    private struct Compilation: Sendable {
        let source: String
        let progress: Monitor<Progress>
    }

    private enum Progress: Sendable {
        case underWay
        case compiled(OwnedState)
        /// The caller compiles the program again and gets the error.
        case failed
    }

    /// A libjq state that is passed from one thread to another.
    // Unchecked: only one thread at a time has it, the one that takes it out of the monitor.
    private struct OwnedState: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// The compilation, until it is taken.
    private static let foreseen = Mutex<Compilation?>(nil)

    /// Starts compiling on a new thread. If the program is not used, only time is lost.
    package static func prepare(_ source: String) {
        // An extraction is only compiled if a record does not fit it.
        guard Extraction(of: source) == nil else { return }
        let compilation = Compilation(source: source, progress: Monitor(.underWay))
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-compiler", stackSize: Pipeline.stackSize) {
                let result = compiled(source)
                compilation.progress.update { $0 = result }
            }
        } catch {
            return
        }
        foreseen.withLock { $0 = compilation }
    }

    private static func compiled(_ source: String) -> Progress {
        do throws(JQError) {
            let program = try JQProgram(source: source)
            return .compiled(OwnedState(pointer: try JQCompiler(program: program).makeState()))
        } catch {
            return .failed
        }
    }

    /// The state for this program, owned by the caller; nil if it was not prepared or was already taken. Waits until
    /// compilation has ended.
    static func takeState(for program: JQProgram) -> OpaquePointer? {
        // A preamble contains a random part.
        guard program.options.arguments.isEmpty, program.directory == nil, program.preamble.isEmpty else { return nil }
        let compilation = foreseen.withLock { foreseen -> Compilation? in
            guard foreseen?.source == program.source else { return nil }
            defer { foreseen = nil }
            return foreseen
        }
        return compilation?.progress.wait { progress -> OpaquePointer?? in
            switch progress {
            case .underWay: nil
            case .compiled(let state): .some(state.pointer)
            case .failed: .some(nil)
            }
        }
    }
}
