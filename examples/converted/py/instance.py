# Converted from instance.yaml 599a5a91 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
root_pass = config.require_secret("rootPass")
web = cloudinfra.Instance("web",
    region="eu-central",
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=root_pass,
    authorized_keys=["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org"],
    private_ip=True,
    alerts={
        "cpu": 90,
    },
    tags=["production"])
pulumi.export("addresses", web.ipv4)
