# Converted from node-balancer.yaml fbb4eea3 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

front = cloudinfra.NodeBalancer("front",
    region="eu-central",
    client_conn_throttle=20,
    tags=["production"])
pulumi.export("address", front.ipv4)
