# Converted from managed-credential.yaml 08767baa by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
support_pass = config.require_secret("supportPass")
support = cloudinfra.ManagedCredential("support",
    label="support",
    username="support",
    password=support_pass)
