// Converted from object-storage-bucket.yaml a8ec0abe by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var photos = new CloudInfra.ObjectStorageBucket("photos", new()
    {
        Cluster = "us-east-1",
        Acl = CloudInfra.ObjectAcl.PublicRead,
        CorsEnabled = true,
        ForceDestroy = true,
    });

    return new Dictionary<string, object?>
    {
        ["hostname"] = photos.Hostname,
    };
});

