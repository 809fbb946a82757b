# Converted from object-storage-bucket.yaml a8ec0abe by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

photos = cloudinfra.ObjectStorageBucket("photos",
    cluster="us-east-1",
    acl=cloudinfra.ObjectAcl.PUBLIC_READ,
    cors_enabled=True,
    force_destroy=True)
pulumi.export("hostname", photos.hostname)
