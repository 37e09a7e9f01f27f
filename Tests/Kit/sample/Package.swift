// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sample",
    // The script that builds it names a checkout.
    dependencies: [.package(url: Context.environment["CLOVER_REPOSITORY"] ?? "", from: "1.0.0")],
    targets: [
        .executableTarget(
            name: "sample",
            dependencies: [
                .product(name: "CloverKit", package: "clover"),
                .product(name: "CloverKitPayments", package: "clover"),
                .product(name: "CloverKitReaders", package: "clover"),
            ]),
        // The program of the article "A week's sales", which the script copies.
        .executableTarget(name: "week", dependencies: [.product(name: "CloverKit", package: "clover")]),
    ]
)
