import CloverTestSupport

extension Sandbox {
    /// Writes the configuration file.
    @discardableResult
    func configured(_ text: String) throws -> Sandbox {
        try directory.makeFolder("config")
        try directory.write("config/config.yml", text.utf8)
        return self
    }

    /// What the configuration file holds.
    func configuration() throws -> String {
        String(decoding: try directory.read("config/config.yml"), as: UTF8.self)
    }
}
