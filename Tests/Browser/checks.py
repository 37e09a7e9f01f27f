"""Counts and prints what was found to hold."""


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.scenario = ""

    def begin(self, scenario):
        self.scenario = scenario

    def that(self, what, holds, otherwise=""):
        """Notes that `what` holds; if not, `otherwise` says what is the case instead."""
        if holds:
            self.passed += 1
            print(f"ok    {self.scenario}: {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {self.scenario}: {what}" + (f": {otherwise}" if otherwise else ""), flush=True)
        return holds
