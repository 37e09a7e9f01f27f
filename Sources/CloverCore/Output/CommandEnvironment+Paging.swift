import CloverRecords

extension CommandEnvironment {
    /// From now on, more than a screen of output goes through a pager, on a terminal that can have one. `endPaging` of the
    /// output ends it.
    package func startPaging() async {
        guard terminal.isOutputTerminal, screen.movesCursor, let rows = screen.outputSize()?.rows, !isPagerUnwanted
        else {
            return
        }
        let pager = PagerChoice(variables: variables, hasProgram: screen.hasProgram)
        let messages = diagnostics
        guard let command = pager.command else {
            if let missing = pager.missing { messages.notice("there is no pager '\(missing)'; --no-pager needs none") }
            return
        }
        let start = screen.startPager
        await standardOutput.startPaging(rows: rows) {
            // Before the pager draws anything; lines that come meanwhile would stand in the middle of it.
            messages.screen.hold()
            guard let pipe = start(command) else {
                messages.screen.release()
                return nil
            }
            return PagerPipe(descriptor: pipe.descriptor) {
                await pipe.finish()
                messages.screen.release()
            }
        }
    }
}
