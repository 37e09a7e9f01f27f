// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// SwiftPM refuses such flags in what another package uses, whose copy is in a folder of this name.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// A section for each function, so that the linker can leave out what nothing calls, and keep one of those that are the same.
let fast =
    isDependency
    ? strict : strict + [.unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))]

/// Without checks at run time that no two accesses to a variable overlap. Where one thread at a time uses the objects that hold
/// each row, they take a twentieth of the time. Debug builds have them.
let unchecked =
    isDependency ? fast : fast + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// Where nothing is done often, small code is better than fast code.
let compact = isDependency ? strict : fast + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Test code is compiled once and run once: optimising it as one piece takes minutes and saves seconds. Lines for a debugger
/// are in the debug build of `Scripts/test-one`; given to the compiler itself, because a later -g of SwiftPM would win.
let tests =
    strict + [
        .unsafeFlags(
            ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-Xfrontend", "-gnone"],
            .when(configuration: .release))
    ]

/// Packed relocations make a program of 50 MB smaller by 2 MB and need glibc 2.36 (Debian 12). With CLOVER_PORTABLE=1, which
/// `make dist` sets, the programs also start with glibc 2.35 (Ubuntu 22.04).
let packing: [LinkerSetting] =
    Context.environment["CLOVER_PORTABLE"] == "1"
    ? [] : [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])]

/// The two programs carry the Swift standard library, so that they run on a machine without Swift.
let selfContained: [LinkerSetting] =
    packing + [
        .unsafeFlags(["-static-stdlib"]),
        // Starts faster and stays smaller: code apart from constants, no symbols for others, one copy of functions that are
        // the same, and no tables for exceptions.
        .unsafeFlags(["-use-ld=lld"]),
        .unsafeFlags(["-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all"]),
        .unsafeFlags(
            ["-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Linking/no-unwind-tables.ld"],
            .when(configuration: .release)),
        .unsafeFlags(["-Xlinker", "--strip-all"], .when(configuration: .release)),
        // Compression and the C++ library of Swift's runtime are linked in; the rest is Debian's as it is.
        .unsafeFlags(["-L\(Context.packageDirectory)/Linking", "-Xclang-linker", "-static-libgcc"]),
        // What FoundationEssentials is made of; only a module that was compiled for static linking would name them.
        .linkedLibrary("_FoundationCollections"),
        .linkedLibrary("_FoundationCShims"),
        // What Foundation, which GRDB imports, is made of.
        .linkedLibrary("CoreFoundation"),
        .linkedLibrary("_FoundationICU"),
    ]

/// The commit that `clover version` names, from the variable CLOVER_COMMIT, which the makefile sets. Without it, the program
/// does not claim one.
let commit = Context.environment["CLOVER_COMMIT"].flatMap { text in
    text.wholeMatch(of: /[0-9a-f]{7,64}(-dirty)?/).map { _ in [CSetting.define("CLOVER_COMMIT", to: text)] }
}

let package = Package(
    name: "clover",
    products: [
        .library(name: "CloverKit", targets: ["CloverKit"]),
        .library(name: "CloverKitPayments", targets: ["CloverKitPayments"]),
        .library(name: "CloverKitReaders", targets: ["CloverKitReaders"]),
        .executable(name: "clover", targets: ["clover"]),
        .executable(name: "clover-emulator", targets: ["clover-emulator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The SQLite database: the charges' journal, known readers.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The configuration file.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // The emulator's server, and what it is made of, where it is imported by name.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // C libraries and the kernel: headers and shims, no logic.
        .systemLibrary(name: "CBytes"),
        .systemLibrary(name: "CCrypto"),
        .target(name: "CCurl"),
        .target(name: "CICUData"),
        .systemLibrary(name: "CJQ"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CPostgreSQL"),
        .systemLibrary(name: "CQREncode"),
        .target(name: "CRevision", cSettings: commit),
        .systemLibrary(name: "CSystemd"),
        .systemLibrary(name: "CXLSXWriter"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CZstd"),

        // Files, kernel locks, processes, threads, compression: what the other modules ask of the system.
        .target(
            name: "CloverSystem", dependencies: ["CCrypto", "CLinux", "CZlib", "CZstd"], swiftSettings: fast),
        // SQLite databases in the state directory.
        .target(
            name: "CloverDatabase",
            dependencies: ["CLinux", "CloverSystem", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: compact),
        // Time zones and civil time.
        .target(name: "CloverCalendar", swiftSettings: fast),
        // Reading and writing JSON: records are cut out of pages without parsing them.
        .target(name: "CloverJSON", dependencies: ["CBytes", "CloverSystem"], swiftSettings: fast),
        // Requests, responses, retries, redaction, and the transport on libcurl.
        .target(name: "CloverHTTP", dependencies: ["CBytes", "CCurl", "CloverSystem"], swiftSettings: fast),
        // The rate limit that all processes of a user share.
        .target(
            name: "CloverRateLimit", dependencies: ["CLinux", "CloverHTTP", "CloverSystem"], swiftSettings: fast),
        // D-Bus, for the keyring and BlueZ.
        .target(name: "CloverDBus", dependencies: ["CLinux", "CSystemd", "CloverSystem"], swiftSettings: compact),
        // OAuth, credentials and their stores, refreshing, token events.
        .target(
            name: "CloverAuth", dependencies: ["CloverDBus", "CloverHTTP", "CloverJSON", "CloverSystem"],
            swiftSettings: compact),
        // The listener for the browser's answer, and the browser.
        .target(
            name: "CloverCallback",
            dependencies: [
                "CloverSystem",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: compact
        ),
        // Formats, tables, jq filters, QR codes: how records are shown.
        .target(
            name: "CloverOutput",
            dependencies: ["CJQ", "CQREncode", "CloverCalendar", "CloverJSON", "CloverSystem"],
            swiftSettings: fast),
        // Clover's endpoints and models, queries, paging, completeness, writes, masking.
        .target(
            name: "CloverAPI",
            dependencies: [
                "CBytes", "CloverCalendar", "CloverHTTP", "CloverJSON", "CloverRateLimit", "CloverSystem",
            ],
            swiftSettings: fast
        ),
        // The configuration file: its keys, reading, editing, and where a value comes from.
        .target(
            name: "CloverConfiguration",
            dependencies: [
                "CloverAPI", "CloverAuth", "CloverCalendar", "CloverHTTP", "CloverOutput", "CloverRateLimit",
                "CloverSystem", .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: compact),
        // Exports: windows, files, manifests, and what is known of each destination.
        .target(
            name: "CloverExport",
            dependencies: [
                "CloverAPI", "CloverCalendar", "CloverDatabase", "CloverHTTP", "CloverJSON", "CloverOutput",
                "CloverRateLimit", "CloverSystem", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: compact
        ),
        // Tables of records, and the databases that exports write to: SQLite and PostgreSQL.
        .target(
            name: "CloverTables",
            dependencies: [
                "CPostgreSQL", "CloverAPI", "CloverCalendar", "CloverExport", "CloverJSON", "CloverSystem",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: unchecked),
        // The rate limit, the tokens and the journal of charges in PostgreSQL, which the machines of a fleet share.
        .target(
            name: "CloverFleet",
            dependencies: [
                "CloverAuth", "CloverHTTP", "CloverPayments", "CloverRateLimit", "CloverSystem", "CloverTables",
            ],
            swiftSettings: compact),
        // The feed of changes: what to read next, what is known, and what is not delivered yet.
        .target(
            name: "CloverFeed",
            dependencies: [
                "CloverAPI", "CloverDatabase", "CloverExport", "CloverJSON", "CloverSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: compact),
        // What a shop sold: the arithmetic of orders, measures, reports that check themselves, findings.
        .target(
            name: "CloverReports",
            dependencies: [
                "CLinux", "CXLSXWriter", "CloverCalendar", "CloverJSON", "CloverOutput", "CloverSystem",
            ],
            swiftSettings: fast),
        // The Model Context Protocol, as pure values.
        .target(name: "CloverMCP", dependencies: ["CloverJSON"], swiftSettings: compact),
        // Square's hand-off: requests, responses, error tables. Pure values.
        .target(name: "CloverSquare", swiftSettings: compact),
        // Card readers: BlueZ, Clover's own devices, external driver programs.
        .target(
            name: "CloverReaders",
            dependencies: [
                "CLinux", "CloverAPI", "CloverDBus", "CloverDatabase", "CloverHTTP", "CloverJSON", "CloverSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: compact
        ),
        // Money, the journal of charges, and the rails that they go over.
        .target(
            name: "CloverPayments",
            dependencies: [
                "CLinux", "CloverAPI", "CloverDatabase", "CloverHTTP", "CloverJSON", "CloverOutput", "CloverRateLimit",
                "CloverSystem", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: compact
        ),
        // Webhooks: bodies, signatures, the spool, the listener, deliveries.
        .target(
            name: "CloverWebhooks",
            dependencies: [
                "COpenSSL", "CloverDatabase", "CloverHTTP", "CloverJSON", "CloverSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: compact
        ),
        // The Swift library: reads, writes, reports and Square's values for other packages. Its API is the only public one.
        .target(
            name: "CloverKit",
            dependencies: [
                "CloverAPI", "CloverAuth", "CloverCalendar", "CloverHTTP", "CloverJSON", "CloverOutput",
                "CloverRateLimit", "CloverReports", "CloverSquare", "CloverSystem",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: fast
        ),
        // Charges for other packages. Apart, because the journal needs SQLite.
        .target(
            name: "CloverKitPayments",
            dependencies: [
                "CloverAPI", "CloverAuth", "CloverHTTP", "CloverKit", "CloverOutput", "CloverPayments",
                "CloverRateLimit", "CloverSystem",
            ],
            swiftSettings: fast
        ),
        // Card readers for other packages. Apart, because they need SQLite.
        .target(
            name: "CloverKitReaders", dependencies: ["CloverAPI", "CloverKit", "CloverReaders", "CloverSystem"],
            swiftSettings: fast
        ),
        .target(
            name: "CloverCore",
            dependencies: [
                "CloverAPI", "CloverAuth", "CloverCalendar", "CloverCallback", "CloverConfiguration", "CloverExport",
                "CloverFleet", "CloverHTTP", "CloverJSON", "CloverOutput", "CloverPayments", "CloverRateLimit",
                "CloverReaders", "CloverSquare", "CloverSystem",
            ],
            swiftSettings: fast
        ),
        .target(
            name: "CloverCommands",
            dependencies: [
                "CRevision", "CloverAPI", "CloverAuth", "CloverCalendar", "CloverCallback", "CloverConfiguration",
                "CloverCore", "CloverDatabase", "CloverExport", "CloverFeed", "CloverFleet", "CloverHTTP", "CloverJSON",
                "CloverMCP", "CloverOutput", "CloverPayments", "CloverRateLimit", "CloverReaders", "CloverReports",
                "CloverSquare",
                "CloverSystem", "CloverTables", "CloverWebhooks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: compact
        ),
        .executableTarget(
            name: "clover",
            dependencies: [
                "CICUData", "CLinux", "CloverAuth", "CloverCallback", "CloverCommands", "CloverConfiguration",
                "CloverCore", "CloverExport", "CloverHTTP", "CloverOutput", "CloverPayments", "CloverReaders",
                "CloverSystem",
            ],
            swiftSettings: compact,
            linkerSettings: selfContained
        ),

        // A local Clover. It shares no code with the client, so that one mistake cannot hide another.
        .target(
            name: "CloverEmulator",
            dependencies: [
                "CCrypto",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: fast
        ),
        .executableTarget(
            name: "clover-emulator",
            dependencies: ["CloverEmulator", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: fast,
            linkerSettings: selfContained
        ),

        // Both programs in one build, so that no core waits for the other program: swift build --target programs.
        .target(name: "programs", dependencies: ["clover", "clover-emulator"], path: "Sources/programs"),

        // Tests. None of them needs more than package access, so they share the release build with the programs.
        .target(
            name: "CloverTestSupport", dependencies: ["CLinux"], path: "Tests/CloverTestSupport",
            exclude: ["postgresql-relay.py"], swiftSettings: strict),
        .target(
            name: "ProbeSupport", dependencies: ["CloverHTTP", "CloverSystem"], path: "Tests/ProbeSupport",
            swiftSettings: strict),
        .executableTarget(
            name: "rate-limit-probe",
            dependencies: [
                "CloverAuth", "CloverFleet", "CloverHTTP", "CloverRateLimit", "CloverSystem", "ProbeSupport",
            ],
            path: "Tests/rate-limit-probe", swiftSettings: strict),
        .executableTarget(
            name: "kit-bench", dependencies: ["CloverKit"], path: "Benchmarks/kit", swiftSettings: strict),
        .testTarget(
            name: "CloverSystemTests",
            dependencies: [
                "CLinux", "CloverDatabase", "CloverSystem", "CloverTestSupport", "ProbeSupport", "rate-limit-probe",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverJSONTests", dependencies: ["CBytes", "CloverJSON", "CloverSystem", "CloverTestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "CloverOutputTests",
            dependencies: [
                "CLinux", "CloverCalendar", "CloverJSON", "CloverOutput", "CloverSystem", "CloverTestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverConfigurationTests",
            dependencies: ["CloverConfiguration", "CloverSystem", "CloverTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "CloverRateLimitTests",
            dependencies: ["CloverHTTP", "CloverRateLimit", "CloverSystem", "ProbeSupport", "rate-limit-probe"],
            swiftSettings: tests),
        .testTarget(
            name: "CloverAuthTests",
            dependencies: [
                "BusTestSupport", "CloverAuth", "CloverDBus", "CloverHTTP", "CloverSystem", "CloverTestSupport",
                "ProbeSupport", "rate-limit-probe",
            ],
            exclude: ["Fixtures"], swiftSettings: tests),
        .target(
            name: "BusTestSupport", dependencies: ["CloverDBus", "CloverTestSupport"], path: "Tests/BusTestSupport",
            swiftSettings: tests),
        .testTarget(
            name: "CloverDBusTests", dependencies: ["BusTestSupport", "CloverDBus", "CloverTestSupport"],
            exclude: ["Fixtures"], swiftSettings: tests),
        .testTarget(
            name: "CloverCallbackTests", dependencies: ["CloverCallback", "CloverSystem"], swiftSettings: tests),
        .testTarget(
            name: "CloverHTTPTests", dependencies: ["CCurl", "CloverHTTP", "CloverSystem", "CloverTestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "CloverExportTests",
            dependencies: [
                "CloverAPI", "CloverCalendar", "CloverExport", "CloverHTTP", "CloverJSON", "CloverSystem",
                "CloverTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverTablesTests",
            dependencies: [
                "CloverAPI", "CloverCalendar", "CloverExport", "CloverJSON", "CloverSystem", "CloverTables",
                "CloverTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverFleetTests",
            dependencies: [
                "CloverAuth", "CloverFleet", "CloverHTTP", "CloverOutput", "CloverPayments", "CloverRateLimit",
                "CloverSystem", "CloverTables", "CloverTestSupport", "ProbeSupport", "rate-limit-probe",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverFeedTests",
            dependencies: [
                "CloverFeed", "CloverJSON", "CloverSystem", "CloverTestSupport", "CloverWebhooks", "ProbeSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverKitTests",
            dependencies: [
                "CloverAPI", "CloverAuth", "CloverHTTP", "CloverKit", "CloverKitPayments", "CloverKitReaders",
                "CloverSystem", "CloverTestSupport", "ProbeSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverAPITests",
            dependencies: ["CloverAPI", "CloverCalendar", "CloverHTTP", "CloverJSON", "CloverOutput"],
            swiftSettings: tests),
        .testTarget(
            name: "CloverReportsTests",
            dependencies: ["CloverCalendar", "CloverJSON", "CloverReports", "CloverSystem", "CloverTestSupport"],
            exclude: ["Snapshots"], swiftSettings: tests),
        .testTarget(name: "CloverMCPTests", dependencies: ["CloverJSON", "CloverMCP"], swiftSettings: tests),
        .testTarget(
            name: "CloverSquareTests", dependencies: ["CloverSquare", "CloverTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "CloverWebhooksTests",
            dependencies: [
                "CloverDatabase", "CloverHTTP", "CloverJSON", "CloverSystem", "CloverTestSupport", "CloverWebhooks",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverReadersTests",
            dependencies: [
                "BusTestSupport", "CloverAPI", "CloverDBus", "CloverHTTP", "CloverReaders", "CloverSystem",
                "CloverTestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverPaymentsTests",
            dependencies: [
                "CloverAPI", "CloverDatabase", "CloverFleet", "CloverHTTP", "CloverJSON", "CloverOutput",
                "CloverPayments", "CloverSystem", "CloverTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverCommandsTests",
            dependencies: [
                "CloverAPI", "CloverCommands", "CloverCore", "CloverFleet", "CloverJSON", "CloverOutput",
                "CloverRateLimit", "CloverTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloverEmulatorTests",
            // Not on the program itself, whose linker settings a test bundle cannot have.
            dependencies: [
                "CloverEmulator",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CLITests",
            dependencies: ["BusTestSupport", "CloverTestSupport", .product(name: "GRDB", package: "GRDB.swift")],
            exclude: [
                "Fixtures", "Recorded/Cases", "Snapshots", "Examples/Snapshots", "Help/Snapshots", "Sessions/Snapshots",
                "Terminal/Snapshots",
            ],
            swiftSettings: tests),
    ]
)
