import runpy
import unittest
from pathlib import Path

import pulumi


class Mocks(pulumi.runtime.Mocks):
    """Answers instead of the provider: the outputs of a resource are its inputs."""

    def new_resource(self, args):
        return f"{args.name}-id", args.inputs

    def call(self, args):
        return {}


pulumi.runtime.set_mocks(Mocks(), project="project")
pulumi.runtime.set_all_config({"project:region": "us-east", "project:rootPass": "Correct-Horse-42"})
program = runpy.run_path(str(Path(__file__).with_name("__main__.py")))


class Program(unittest.TestCase):
    @pulumi.runtime.test
    def test_the_volume_is_attached_to_the_server(self):
        return program["data"].compute_id.apply(lambda compute: self.assertEqual(compute, "web-id"))

    @pulumi.runtime.test
    def test_server_and_volume_are_in_the_configured_region(self):
        regions = pulumi.Output.all(program["web"].region, program["data"].region)
        return regions.apply(lambda both: self.assertEqual(both, ["us-east", "us-east"]))

    @pulumi.runtime.test
    def test_the_firewall_accepts_only_web_traffic(self):
        def check(rules):
            self.assertEqual(rules["inbound_policy"], "DROP")
            self.assertEqual([rule["ports"] for rule in rules["inbound"]], ["80, 443"])

        return program["firewall"].rules.apply(check)


if __name__ == "__main__":
    unittest.main()
