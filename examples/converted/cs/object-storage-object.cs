// Converted from object-storage-object.yaml 31520f6c by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var site = new CloudInfra.ObjectStorageBucket("site", new()
    {
        Cluster = "us-east-1",
        Acl = CloudInfra.ObjectAcl.PublicRead,
    });

    var index = new CloudInfra.ObjectStorageObject("index", new()
    {
        Cluster = site.Cluster,
        Bucket = site.Label,
        Name = "index.html",
        Content = "<h1>It works</h1>",
        ContentType = "text/html",
    });

});

