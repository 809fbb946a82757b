"""Runs the tests of this folder and prints their course as `go test -json` does."""

import json
import sys
import time
import traceback
import unittest


class Printer(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def told(self, test, action, **more):
        name = test.id().split(".", 1)[-1]
        print(json.dumps({"Action": action, "Test": name, **more}))

    def end(self, test, action):
        self.told(test, action, Elapsed=time.monotonic() - self.began)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.end(test, "pass")

    def addError(self, test, error):
        super().addError(test, error)
        self.told(test, "output", Output="".join(traceback.format_exception(*error)))
        self.end(test, "fail")

    addFailure = addError


suite = unittest.defaultTestLoader.discover(".", pattern=sys.argv[1] if len(sys.argv) > 1 else "test_*.py")
sys.exit(0 if suite.run(Printer()).wasSuccessful() else 1)
