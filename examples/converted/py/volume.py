# Converted from volume.yaml 5f219bdf by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
root_pass = config.require_secret("rootPass")
database = cloudinfra.Instance("database",
    region="eu-central",
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=root_pass)
data = cloudinfra.Volume("data",
    region="eu-central",
    size=40,
    compute_id=database.id,
    tags=["production"])
pulumi.export("path", data.filesystem_path)
