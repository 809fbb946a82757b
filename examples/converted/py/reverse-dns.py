# Converted from reverse-dns.yaml b61d09b5 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

mailer = cloudinfra.Instance("mailer",
    region="eu-central",
    type="g6-nanode-1")
post = cloudinfra.Domain("post",
    domain="post.example.org",
    type=cloudinfra.DomainType.MASTER,
    soa_email="admin@post.example.org")
smtp = cloudinfra.DomainRecord("smtp",
    domain_id=post.id,
    type=cloudinfra.DomainRecordType.A,
    name="smtp",
    target=mailer.ipv4[0])
reverse = cloudinfra.ReverseDns("reverse",
    address=mailer.ipv4[0],
    rdns=smtp.fqdn)
