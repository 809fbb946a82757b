# Converted from service-transfer.yaml 3c36fb39 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

sold = cloudinfra.Instance("sold",
    region="eu-central",
    type="g6-nanode-1")
sale = cloudinfra.ServiceTransfer("sale", entities={
    "computes": [sold.id],
})
pulumi.export("token", sale.token)
