// Converted from image.yaml 3496e11e by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var golden = new CloudInfra.Image("golden", new()
    {
        Region = "us-east",
        Source = new StringAsset("what a disk holds"),
        Description = "Debian with our certificates",
    });

    return new Dictionary<string, object?>
    {
        ["id"] = golden.Id,
    };
});

