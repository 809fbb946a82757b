# Converted from instance-ip.yaml 75f659be by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

backend = cloudinfra.Instance("backend",
    region="eu-central",
    type="g6-nanode-1")
inside = cloudinfra.InstanceIp("inside",
    compute_id=backend.id,
    public=False)
pulumi.export("address", inside.address)
