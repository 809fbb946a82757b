# Converted from oauth-client.yaml abc7bc34 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

dashboard = cloudinfra.OAuthClient("dashboard",
    label="Dashboard",
    redirect_uri="https://dashboard.example.org/login",
    secret_version="2026")
pulumi.export("clientId", dashboard.id)
pulumi.export("clientSecret", dashboard.secret)
