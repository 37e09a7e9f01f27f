/// The version of the program, as in CHANGELOG.md.
package enum CloverVersion {
    package static let text = "0.1.0"
}
