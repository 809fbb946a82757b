// Converted from managed-service.yaml 13dce20c by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var storefront = new CloudInfra.ManagedService("storefront", new()
    {
        Label = "storefront",
        ServiceType = CloudInfra.ManagedServiceServiceType.Url,
        Address = "https://www.example.org/health",
        Timeout = 10,
        Body = "everything is fine",
    });

});

