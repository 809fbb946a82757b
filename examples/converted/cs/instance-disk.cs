// Converted from instance-disk.yaml c91e7adf by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var builder = new CloudInfra.Instance("builder", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        ResizeDisks = false,
    });

    var scratch = new CloudInfra.InstanceDisk("scratch", new()
    {
        ComputeId = builder.Id,
        Label = "scratch",
        Size = 5120,
        Filesystem = CloudInfra.InstanceFilesystem.Ext4,
    });

    return new Dictionary<string, object?>
    {
        ["size"] = scratch.Size,
    };
});

