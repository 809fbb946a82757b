# Converted from domain.yaml 6ba97015 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

zone = cloudinfra.Domain("zone",
    domain="example.org",
    type=cloudinfra.DomainType.MASTER,
    soa_email="admin@example.org",
    ttl_sec=3600,
    tags=["production"])
pulumi.export("domainId", zone.id)
