# Converted from domain-record.yaml 588d1a58 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

shop = cloudinfra.Domain("shop",
    domain="shop.example.com",
    type=cloudinfra.DomainType.MASTER,
    soa_email="admin@example.com")
www = cloudinfra.DomainRecord("www",
    domain_id=shop.id,
    type=cloudinfra.DomainRecordType.A,
    name="www",
    target="203.0.113.10",
    ttl_sec=300)
mail = cloudinfra.DomainRecord("mail",
    domain_id=shop.id,
    type=cloudinfra.DomainRecordType.MX,
    target="mail.example.com",
    priority=10)
pulumi.export("address", www.fqdn)
