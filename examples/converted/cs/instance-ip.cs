// Converted from instance-ip.yaml 75f659be by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var backend = new CloudInfra.Instance("backend", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var inside = new CloudInfra.InstanceIp("inside", new()
    {
        ComputeId = backend.Id,
        Public = false,
    });

    return new Dictionary<string, object?>
    {
        ["address"] = inside.Address,
    };
});

