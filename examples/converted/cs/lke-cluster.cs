// Converted from lke-cluster.yaml 6b86cd03 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var apps = new CloudInfra.LkeCluster("apps", new()
    {
        Region = "eu-central",
        K8sVersion = "1.21",
        Pools = 
        {
            { "web", new CloudInfra.Inputs.LkePoolArgs
            {
                Type = "g6-standard-1",
                Count = 2,
                Autoscaler = new CloudInfra.Inputs.LkePoolAutoscalerArgs
                {
                    Enabled = true,
                    Min = 2,
                    Max = 5,
                },
            } },
            { "batch", new CloudInfra.Inputs.LkePoolArgs
            {
                Type = "g6-standard-2",
                Count = 1,
            } },
        },
        Tags = new[]
        {
            "production",
        },
    });

    return new Dictionary<string, object?>
    {
        ["kubeconfig"] = apps.Kubeconfig,
    };
});

