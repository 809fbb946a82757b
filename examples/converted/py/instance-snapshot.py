# Converted from instance-snapshot.yaml 63df312d by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
root_pass = config.require_secret("rootPass")
wiki = cloudinfra.Instance("wiki",
    region="eu-central",
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=root_pass,
    backups_enabled=True)
before_upgrade = cloudinfra.InstanceSnapshot("beforeUpgrade",
    compute_id=wiki.id,
    label="before-upgrade",
    triggers=["1.2.0"])
