# Converted from tag.yaml 33cef590 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

archive = cloudinfra.Volume("archive",
    region="eu-central",
    size=10)
intranet = cloudinfra.Domain("intranet",
    domain="intranet.example",
    type=cloudinfra.DomainType.MASTER,
    soa_email="admin@intranet.example")
billing_dept = cloudinfra.Tag("billingDept",
    label="billing-dept",
    volumes=[archive.id],
    domains=[intranet.id])
