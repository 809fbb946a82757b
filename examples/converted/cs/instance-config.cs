// Converted from instance-config.yaml 82027752 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var router = new CloudInfra.Instance("router", new()
    {
        Region = "eu-central",
        Type = "g6-nanode-1",
        ResizeDisks = false,
    });

    var system = new CloudInfra.InstanceDisk("system", new()
    {
        ComputeId = router.Id,
        Label = "system",
        Size = 5120,
        Filesystem = CloudInfra.InstanceFilesystem.Ext4,
    });

    var boot = new CloudInfra.InstanceConfig("boot", new()
    {
        ComputeId = router.Id,
        Label = "router",
        Kernel = "compute/grub2",
        Devices = new CloudInfra.Inputs.InstanceDevicesArgs
        {
            Sda = new CloudInfra.Inputs.InstanceDeviceArgs
            {
                DiskId = system.Id,
            },
        },
        Interfaces = new[]
        {
            new CloudInfra.Inputs.InstanceInterfaceArgs
            {
                Purpose = CloudInfra.InstanceInterfacePurpose.Public,
            },
            new CloudInfra.Inputs.InstanceInterfaceArgs
            {
                Purpose = CloudInfra.InstanceInterfacePurpose.Vlan,
                Label = "backend",
                IpamAddress = "10.0.0.1/24",
            },
        },
    });

});

