import ArgumentParser
import CloverConfiguration

/// `clover config`.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Set defaults for every run, and show where each value comes from",
        discussion: """
            Examples:
              clover config set format csv
              clover config set requests-per-second 8 --profile downtown
              clover config list --explain

            Settings are stored in config.yml ('clover config path' prints where), which you can also edit by hand:

              profile: downtown
              retry: 8
              profiles:
                downtown:
                  merchant: 7ZK9QX4M2T1AB
                  environment: eu

            Flags override environment variables, which override the file; in the file, a profile's own value overrides \
            the top level. The file holds no secrets.

            Keys:
            \(KeyText.list)
            """,
        subcommands: [Get.self, Set.self, Unset.self, List.self, Keys.self, Path.self]
    )
}
