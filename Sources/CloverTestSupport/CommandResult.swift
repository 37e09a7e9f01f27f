/// How a finished command ended and what it wrote.
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
        stdout (\(output.count) bytes): \(Self.excerpt(outputText, 300))
        stderr (\(errors.count) bytes): \(Self.excerpt(errorText, 2000))
        """
    }

    private static func excerpt(_ text: String, _ length: Int) -> String {
        text.count <= 2 * length ? text : "\(text.prefix(length)) ... \(text.suffix(length))"
    }
}
