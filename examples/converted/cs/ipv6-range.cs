// Converted from ipv6-range.yaml 2d56aeb7 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var range0 = config.Require("range");
    var containers = new CloudInfra.Ipv6Range("containers", new()
    {
        Range = range0,
    });

    return new Dictionary<string, object?>
    {
        ["routedBy"] = containers.RouteTarget,
    };
});

