// Converted from managed-compute-settings.yaml 26ab768f by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var invoices = new CloudInfra.Instance("invoices", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var settings = new CloudInfra.ManagedComputeSettings("settings", new()
    {
        ComputeId = invoices.Id,
        Ssh = new CloudInfra.Inputs.ManagedComputeSettingsSshArgs
        {
            Access = false,
        },
    });

});

