// Converted from lke-node-pool.yaml 7b2608d5 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var jobs = new CloudInfra.LkeCluster("jobs", new()
    {
        Region = "eu-central",
        K8sVersion = "1.21",
        Pools = 
        {
            { "system", new CloudInfra.Inputs.LkePoolArgs
            {
                Type = "g6-standard-1",
                Count = 1,
            } },
        },
    });

    var reports = new CloudInfra.LkeNodePool("reports", new()
    {
        ClusterId = jobs.Id,
        Type = "g6-standard-2",
        Count = 2,
        Tags = new[]
        {
            "reports",
        },
    });

    return new Dictionary<string, object?>
    {
        ["nodes"] = reports.Count,
    };
});

