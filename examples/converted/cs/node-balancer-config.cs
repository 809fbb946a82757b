// Converted from node-balancer-config.yaml aeb5c0e5 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var blog = new CloudInfra.NodeBalancer("blog", new()
    {
        Region = "eu-central",
    });

    var blogHttp = new CloudInfra.NodeBalancerConfig("blogHttp", new()
    {
        NodebalancerId = blog.Id,
        Port = 80,
        Protocol = CloudInfra.NodeBalancerConfigProtocol.Http,
        Algorithm = CloudInfra.NodeBalancerConfigAlgorithm.Leastconn,
        Stickiness = CloudInfra.NodeBalancerConfigStickiness.HttpCookie,
        Check = CloudInfra.NodeBalancerConfigCheck.Http,
        CheckPath = "/health",
    });

    return new Dictionary<string, object?>
    {
        ["port"] = blogHttp.Port,
    };
});

