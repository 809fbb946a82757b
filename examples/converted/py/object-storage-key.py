# Converted from object-storage-key.yaml feb947eb by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

logs = cloudinfra.ObjectStorageBucket("logs", cluster="us-east-1")
log_writer = cloudinfra.ObjectStorageKey("logWriter",
    label="log-writer",
    bucket_access=[{
        "cluster": logs.cluster,
        "bucket_name": logs.label,
        "permissions": cloudinfra.ObjectBucketAccessPermissions.READ_WRITE,
    }])
pulumi.export("accessKey", log_writer.access_key)
pulumi.export("secretKey", log_writer.secret_key)
