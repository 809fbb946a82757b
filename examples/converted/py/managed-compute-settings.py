# Converted from managed-compute-settings.yaml 26ab768f by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

invoices = cloudinfra.Instance("invoices",
    region="eu-central",
    type="g6-nanode-1")
settings = cloudinfra.ManagedComputeSettings("settings",
    compute_id=invoices.id,
    ssh={
        "access": False,
    })
