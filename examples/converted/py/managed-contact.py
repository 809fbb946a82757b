# Converted from managed-contact.yaml 69d31bb4 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

night_shift = cloudinfra.ManagedContact("nightShift",
    name="Night shift",
    email="night@example.org",
    phone={
        "primary": "+1 555 0100",
    },
    group="night-shift")
