// Converted from reverse-dns.yaml b61d09b5 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var mailer = new CloudInfra.Instance("mailer", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var post = new CloudInfra.Domain("post", new()
    {
        DomainName = "post.example.org",
        Type = CloudInfra.DomainType.Master,
        SoaEmail = "admin@post.example.org",
    });

    var smtp = new CloudInfra.DomainRecord("smtp", new()
    {
        DomainId = post.Id,
        Type = CloudInfra.DomainRecordType.A,
        Name = "smtp",
        Target = mailer.Ipv4.Apply(ipv4 => ipv4[0]),
    });

    var reverse = new CloudInfra.ReverseDns("reverse", new()
    {
        Address = mailer.Ipv4.Apply(ipv4 => ipv4[0]),
        Rdns = smtp.Fqdn,
    });

});

