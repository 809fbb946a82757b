// Converted from instance-snapshot.yaml 63df312d by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var rootPass = config.RequireSecret("rootPass");
    var wiki = new CloudInfra.Instance("wiki", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        Image = "compute/debian11",
        RootPass = rootPass,
        BackupsEnabled = true,
    });

    var beforeUpgrade = new CloudInfra.InstanceSnapshot("beforeUpgrade", new()
    {
        ComputeId = wiki.Id,
        Label = "before-upgrade",
        Triggers = new[]
        {
            "1.2.0",
        },
    });

});

