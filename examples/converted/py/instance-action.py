# Converted from instance-action.yaml 85b74dae by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
root_pass = config.require_secret("rootPass")
cache = cloudinfra.Instance("cache",
    region="eu-central",
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=root_pass)
reboot_cache = cloudinfra.InstanceAction("rebootCache",
    compute_id=cache.id,
    reboot={},
    triggers=["vm.swappiness = 10"])
