// Converted from node-balancer-node.yaml 25e0912e by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var forum = new CloudInfra.NodeBalancer("forum", new()
    {
        Region = "eu-central",
    });

    var forumHttp = new CloudInfra.NodeBalancerConfig("forumHttp", new()
    {
        NodebalancerId = forum.Id,
        Port = 80,
    });

    var server = new CloudInfra.Instance("server", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        PrivateIp = true,
    });

    var forumServer = new CloudInfra.NodeBalancerNode("forumServer", new()
    {
        NodebalancerId = forum.Id,
        ConfigId = forumHttp.Id,
        Label = "server",
        Address = server.Ipv4.Apply(ipv4 => $"{ipv4[1]}:8080"),
    });

    return new Dictionary<string, object?>
    {
        ["address"] = forum.Ipv4,
    };
});

