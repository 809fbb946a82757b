# Converted from object-storage-object.yaml 31520f6c by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

site = cloudinfra.ObjectStorageBucket("site",
    cluster="us-east-1",
    acl=cloudinfra.ObjectAcl.PUBLIC_READ)
index = cloudinfra.ObjectStorageObject("index",
    cluster=site.cluster,
    bucket=site.label,
    name="index.html",
    content="<h1>It works</h1>",
    content_type="text/html")
