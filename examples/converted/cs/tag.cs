// Converted from tag.yaml 33cef590 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var archive = new CloudInfra.Volume("archive", new()
    {
        Region = "eu-central",
        Size = 10,
    });

    var intranet = new CloudInfra.Domain("intranet", new()
    {
        DomainName = "intranet.example",
        Type = CloudInfra.DomainType.Master,
        SoaEmail = "admin@intranet.example",
    });

    var billingDept = new CloudInfra.Tag("billingDept", new()
    {
        Label = "billing-dept",
        Volumes = new[]
        {
            archive.Id,
        },
        Domains = new[]
        {
            intranet.Id,
        },
    });

});

