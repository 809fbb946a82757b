# Converted from image.yaml 3496e11e by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

golden = cloudinfra.Image("golden",
    region="us-east",
    source=pulumi.StringAsset("what a disk holds"),
    description="Debian with our certificates")
pulumi.export("id", golden.id)
