// Converted from domain-record.yaml 588d1a58 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var shop = new CloudInfra.Domain("shop", new()
    {
        DomainName = "shop.example.com",
        Type = CloudInfra.DomainType.Master,
        SoaEmail = "admin@example.com",
    });

    var www = new CloudInfra.DomainRecord("www", new()
    {
        DomainId = shop.Id,
        Type = CloudInfra.DomainRecordType.A,
        Name = "www",
        Target = "203.0.113.10",
        TtlSec = 300,
    });

    var mail = new CloudInfra.DomainRecord("mail", new()
    {
        DomainId = shop.Id,
        Type = CloudInfra.DomainRecordType.MX,
        Target = "mail.example.com",
        Priority = 10,
    });

    return new Dictionary<string, object?>
    {
        ["address"] = www.Fqdn,
    };
});

