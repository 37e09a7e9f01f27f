/// How a finished command ended, what it wrote, and what it used.
package struct CommandResult: Sendable {
    /// The way a process ends: by itself, or by a signal.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let arguments: [String]
    package let ending: Ending
    package let output: [UInt8]
    package let errors: [UInt8]
    /// The most memory it ever held, in bytes, as `wait4(2)` reports it.
    package let peakMemoryInBytes: Int

    /// The status a shell would show: the exit status, or 128 and the signal's number.
    package var status: Int32 {
        switch ending {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        }
    }

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The lines of stdout, without their line breaks.
    package var lines: [String] {
        output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether stdout is made of whole lines only.
    package var endsWithWholeLine: Bool { output.isEmpty || output.last == UInt8(ascii: "\n") }
}

extension CommandResult: CustomStringConvertible {
    /// What a failed expectation shows: everything, cut where it is long.
    package var description: String {
        """
        \(arguments.joined(separator: " "))
        ended: \(ending)
        stdout (\(output.count) bytes): \(String(outputText.prefix(1500)))
        stderr (\(errors.count) bytes): \(String(errorText.prefix(3000)))
        """
    }
}
