// Converted from volume-attachment.yaml d8bb7303 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var rootPass = config.RequireSecret("rootPass");
    var player = new CloudInfra.Instance("player", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        Image = "compute/debian11",
        RootPass = rootPass,
    });

    var media = new CloudInfra.Volume("media", new()
    {
        Region = "eu-central",
        Size = 20,
    });

    var mediaOfPlayer = new CloudInfra.VolumeAttachment("mediaOfPlayer", new()
    {
        VolumeId = media.Id,
        ComputeId = player.Id,
    });

    return new Dictionary<string, object?>
    {
        ["path"] = mediaOfPlayer.FilesystemPath,
    };
});

