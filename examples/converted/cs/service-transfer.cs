// Converted from service-transfer.yaml 3c36fb39 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var sold = new CloudInfra.Instance("sold", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var sale = new CloudInfra.ServiceTransfer("sale", new()
    {
        Entities = new CloudInfra.Inputs.ServiceTransferEntitiesArgs
        {
            Computes = new[]
            {
                sold.Id,
            },
        },
    });

    return new Dictionary<string, object?>
    {
        ["token"] = sale.Token,
    };
});

