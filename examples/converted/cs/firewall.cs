// Converted from firewall.yaml 0df1717e by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var proxy = new CloudInfra.Instance("proxy", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var proxies = new CloudInfra.Firewall("proxies", new()
    {
        Rules = new CloudInfra.Inputs.FirewallRulesArgs
        {
            InboundPolicy = CloudInfra.FirewallRuleAction.DROP,
            Inbound = new[]
            {
                new CloudInfra.Inputs.FirewallRuleArgs
                {
                    Label = "web",
                    Action = CloudInfra.FirewallRuleAction.ACCEPT,
                    Protocol = CloudInfra.FirewallRuleProtocol.TCP,
                    Ports = "80, 443",
                    Addresses = new CloudInfra.Inputs.FirewallRuleAddressesArgs
                    {
                        Ipv4 = new[]
                        {
                            "0.0.0.0/0",
                        },
                        Ipv6 = new[]
                        {
                            "::/0",
                        },
                    },
                },
            },
            OutboundPolicy = CloudInfra.FirewallRuleAction.ACCEPT,
        },
        Devices = new CloudInfra.Inputs.FirewallDevicesArgs
        {
            Computes = new[]
            {
                proxy.Id,
            },
        },
    });

    return new Dictionary<string, object?>
    {
        ["firewallId"] = proxies.Id,
    };
});

