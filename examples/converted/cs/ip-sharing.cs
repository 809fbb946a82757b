// Converted from ip-sharing.yaml 0f925c2b by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var active = new CloudInfra.Instance("active", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var standby = new CloudInfra.Instance("standby", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var failover = new CloudInfra.IpSharing("failover", new()
    {
        ComputeId = standby.Id,
        Ips = active.Ipv4,
    });

});

