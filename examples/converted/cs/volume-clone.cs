// Converted from volume-clone.yaml de0a41b5 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var original = new CloudInfra.Volume("original", new()
    {
        Region = "eu-central",
        Size = 20,
    });

    var copy = new CloudInfra.VolumeClone("copy", new()
    {
        SourceVolumeId = original.Id,
        Size = 40,
        Tags = new[]
        {
            "staging",
        },
    });

    return new Dictionary<string, object?>
    {
        ["copyPath"] = copy.FilesystemPath,
    };
});

