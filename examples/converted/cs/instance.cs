// Converted from instance.yaml 599a5a91 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var rootPass = config.RequireSecret("rootPass");
    var web = new CloudInfra.Instance("web", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        Image = "compute/debian11",
        RootPass = rootPass,
        AuthorizedKeys = new[]
        {
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org",
        },
        PrivateIp = true,
        Alerts = new CloudInfra.Inputs.InstanceAlertsArgs
        {
            Cpu = 90,
        },
        Tags = new[]
        {
            "production",
        },
    });

    return new Dictionary<string, object?>
    {
        ["addresses"] = web.Ipv4,
    };
});

