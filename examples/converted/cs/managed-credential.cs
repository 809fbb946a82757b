// Converted from managed-credential.yaml 08767baa by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var supportPass = config.RequireSecret("supportPass");
    var support = new CloudInfra.ManagedCredential("support", new()
    {
        Label = "support",
        Username = "support",
        Password = supportPass,
    });

});

