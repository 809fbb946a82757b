# Converted from ip-sharing.yaml 0f925c2b by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

active = cloudinfra.Instance("active",
    region="eu-central",
    type="g6-nanode-1")
standby = cloudinfra.Instance("standby",
    region="eu-central",
    type="g6-nanode-1")
failover = cloudinfra.IpSharing("failover",
    compute_id=standby.id,
    ips=active.ipv4)
