// Converted from lke-node-recycle.yaml 2b22df3c by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var tools = new CloudInfra.LkeCluster("tools", new()
    {
        Region = "eu-central",
        K8sVersion = "1.21",
        Pools = 
        {
            { "main", new CloudInfra.Inputs.LkePoolArgs
            {
                Type = "g6-standard-1",
                Count = 2,
            } },
        },
    });

    var nodesOfTools = new CloudInfra.LkeNodeRecycle("nodesOfTools", new()
    {
        ClusterId = tools.Id,
        Triggers = new[]
        {
            tools.K8sVersion,
        },
    });

});

