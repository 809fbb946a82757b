// Converted from ip-assignment.yaml b0ce79f5 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var blue = new CloudInfra.Instance("blue", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var green = new CloudInfra.Instance("green", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
    });

    var live = new CloudInfra.IpAssignment("live", new()
    {
        Region = "eu-central",
        Assignments = new[]
        {
            new CloudInfra.Inputs.IpAssignmentAssignmentArgs
            {
                Address = blue.Ipv4.Apply(ipv4 => ipv4[0]),
                ComputeId = blue.Id,
            },
            new CloudInfra.Inputs.IpAssignmentAssignmentArgs
            {
                Address = green.Ipv4.Apply(ipv4 => ipv4[0]),
                ComputeId = green.Id,
            },
        },
    });

});

