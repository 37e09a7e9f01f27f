import CRevision

/// The version of the program, as in CHANGELOG.md.
package enum CloverVersion {
    package static let text = "1.0.0"

    /// The commit that the program was built from, with `-dirty` behind it if the sources were changed; nil if the build
    /// had no CLOVER_COMMIT.
    static var commit: String? {
        let text = String(cString: clover_revision())
        return text.isEmpty ? nil : text
    }
}
