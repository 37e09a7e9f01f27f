import CloverReaders
import CloverSystem
import CloverTestSupport
import Testing

struct ReaderStoreTests {
    private let directory: TemporaryDirectory
    private let store: ReaderStore

    init() throws {
        directory = try TemporaryDirectory()
        store = ReaderStore(directory: StateDirectory(path: directory["state"]))
    }

    @Test("reading creates no file")
    func looking() throws {
        #expect(try store.all().isEmpty)
        #expect(try !store.forget(Reader(id: "a", transport: .ble)))
        #expect(directory.files(below: ".").isEmpty)
    }

    @Test("the last connected reader comes first; unknown properties keep their values")
    func order() throws {
        try store.note(
            Reader(id: "a", transport: .ble, name: "Clover_Go_000001", rssi: -50, battery: 80, firmware: "1"),
            connectedAt: 1000)
        try store.note(Reader(id: "b", transport: .driver), connectedAt: 2000)
        #expect(try store.all().map(\.reader.id) == ["b", "a"])
        try store.note(Reader(id: "a", transport: .ble, battery: 70), connectedAt: 3000)
        let first = try #require(try store.all().first)
        #expect(
            first
                == KnownReader(
                    reader: Reader(id: "a", transport: .ble, name: "Clover_Go_000001", battery: 70, firmware: "1"),
                    firstConnected: 1000, lastConnected: 3000))
    }

    @Test("a clock that was set back does not move a reader's last connection back")
    func clock() throws {
        try store.note(Reader(id: "a", transport: .ble), connectedAt: 2000)
        try store.note(Reader(id: "a", transport: .ble), connectedAt: 1000)
        #expect(try store.all().first?.lastConnected == 2000)
    }

    @Test("the same ID on another transport is another reader")
    func transports() throws {
        try store.note(Reader(id: "a", transport: .ble), connectedAt: 1)
        try store.note(Reader(id: "a", transport: .driver), connectedAt: 2)
        #expect(try store.forget(Reader(id: "a", transport: .ble)))
        #expect(try store.all().map(\.reader.transport) == [.driver])
    }

    @Test("readers are found by ID and name, ignoring case")
    func names() throws {
        try store.note(Reader(id: "D4:22", transport: .ble, name: "Clover_Go_630094"), connectedAt: 1)
        #expect(try store.named("d4:22").count == 1)
        #expect(try store.named("clover_go_630094").count == 1)
        #expect(try store.named("Clover_Go").isEmpty)
    }
}
