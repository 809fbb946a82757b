# Converted from ip-assignment.yaml b0ce79f5 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

blue = cloudinfra.Instance("blue",
    region="eu-central",
    type="g6-nanode-1")
green = cloudinfra.Instance("green",
    region="eu-central",
    type="g6-nanode-1")
live = cloudinfra.IpAssignment("live",
    region="eu-central",
    assignments=[
        {
            "address": blue.ipv4[0],
            "compute_id": blue.id,
        },
        {
            "address": green.ipv4[0],
            "compute_id": green.id,
        },
    ])
