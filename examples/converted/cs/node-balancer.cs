// Converted from node-balancer.yaml fbb4eea3 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var front = new CloudInfra.NodeBalancer("front", new()
    {
        Region = "eu-central",
        ClientConnThrottle = 20,
        Tags = new[]
        {
            "production",
        },
    });

    return new Dictionary<string, object?>
    {
        ["address"] = front.Ipv4,
    };
});

