import ArgumentParser
import CloverConfiguration

/// `clover config`.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Settings that hold for every run, and where each value comes from",
        discussion: """
            Examples:
              clover config set format csv
              clover config set requests-per-second 8 --profile downtown
              clover config list --explain

            They are kept in config.yml ('clover config path' says where), which \
            can as well be written by hand:

              profile: downtown
              retry: 8
              profiles:
                downtown:
                  merchant: 7ZK9QX4M2T1AB
                  environment: eu

            A flag goes before a variable, a variable before the file, and the \
            profile's own value before that of the top level. No secret is kept \
            there.

            Keys:
            \(KeyText.list)
            """,
        subcommands: [Get.self, Set.self, Unset.self, List.self, Keys.self, Path.self]
    )
}
