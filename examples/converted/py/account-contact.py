# Converted from account-contact.yaml 4bd977bd by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

billing = cloudinfra.AccountContact("billing",
    company="Example Ltd",
    email="billing@example.org",
    phone="555-0100")
pulumi.export("since", billing.active_since)
