# Converted from managed-service.yaml 13dce20c by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

storefront = cloudinfra.ManagedService("storefront",
    label="storefront",
    service_type=cloudinfra.ManagedServiceServiceType.URL,
    address="https://www.example.org/health",
    timeout=10,
    body="everything is fine")
