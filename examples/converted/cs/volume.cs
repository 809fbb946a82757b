// Converted from volume.yaml 5f219bdf by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var rootPass = config.RequireSecret("rootPass");
    var database = new CloudInfra.Instance("database", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        Image = "compute/debian11",
        RootPass = rootPass,
    });

    var data = new CloudInfra.Volume("data", new()
    {
        Region = "eu-central",
        Size = 40,
        ComputeId = database.Id,
        Tags = new[]
        {
            "production",
        },
    });

    return new Dictionary<string, object?>
    {
        ["path"] = data.FilesystemPath,
    };
});

