// Converted from managed-contact.yaml 69d31bb4 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var nightShift = new CloudInfra.ManagedContact("nightShift", new()
    {
        Name = "Night shift",
        Email = "night@example.org",
        Phone = new CloudInfra.Inputs.ManagedContactPhoneArgs
        {
            Primary = "+1 555 0100",
        },
        Group = "night-shift",
    });

});

