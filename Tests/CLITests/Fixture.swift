import Foundation

/// Files beside the tests that are no Swift.
enum Fixture {
    static func path(_ name: String, file: String = #filePath) -> String {
        URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path
    }
}
