// Converted from instance-action.yaml 85b74dae by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var rootPass = config.RequireSecret("rootPass");
    var cache = new CloudInfra.Instance("cache", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        Image = "compute/debian11",
        RootPass = rootPass,
    });

    var rebootCache = new CloudInfra.InstanceAction("rebootCache", new()
    {
        ComputeId = cache.Id,
        Reboot = null,
        Triggers = new[]
        {
            "vm.swappiness = 10",
        },
    });

});

