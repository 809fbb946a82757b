// Converted from firewall-device.yaml e1a544e1 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var office = new CloudInfra.Firewall("office", new()
    {
        Rules = new CloudInfra.Inputs.FirewallRulesArgs
        {
            InboundPolicy = CloudInfra.FirewallRuleAction.DROP,
            OutboundPolicy = CloudInfra.FirewallRuleAction.ACCEPT,
        },
    });

    var printer = new CloudInfra.Instance("printer", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var printerOfOffice = new CloudInfra.FirewallDevice("printerOfOffice", new()
    {
        FirewallId = office.Id,
        EntityId = printer.Id,
    });

});

