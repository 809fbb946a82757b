# Converted from ipv6-range.yaml 2d56aeb7 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
range0 = config.require("range")
containers = cloudinfra.Ipv6Range("containers", range=range0)
pulumi.export("routedBy", containers.route_target)
