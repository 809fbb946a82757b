// Converted from object-storage-key.yaml feb947eb by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var logs = new CloudInfra.ObjectStorageBucket("logs", new()
    {
        Cluster = "us-east-1",
    });

    var logWriter = new CloudInfra.ObjectStorageKey("logWriter", new()
    {
        Label = "log-writer",
        BucketAccess = new[]
        {
            new CloudInfra.Inputs.ObjectBucketAccessArgs
            {
                Cluster = logs.Cluster,
                BucketName = logs.Label,
                Permissions = CloudInfra.ObjectBucketAccessPermissions.ReadWrite,
            },
        },
    });

    return new Dictionary<string, object?>
    {
        ["accessKey"] = logWriter.AccessKey,
        ["secretKey"] = logWriter.SecretKey,
    };
});

