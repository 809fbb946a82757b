// Converted from domain.yaml 6ba97015 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var zone = new CloudInfra.Domain("zone", new()
    {
        DomainName = "example.org",
        Type = CloudInfra.DomainType.Master,
        SoaEmail = "admin@example.org",
        TtlSec = 3600,
        Tags = new[]
        {
            "production",
        },
    });

    return new Dictionary<string, object?>
    {
        ["domainId"] = zone.Id,
    };
});

