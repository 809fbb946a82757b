// Converted from account-contact.yaml 4bd977bd by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var billing = new CloudInfra.AccountContact("billing", new()
    {
        Company = "Example Ltd",
        Email = "billing@example.org",
        Phone = "555-0100",
    });

    return new Dictionary<string, object?>
    {
        ["since"] = billing.ActiveSince,
    };
});

