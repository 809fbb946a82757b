# Converted from instance-config.yaml 82027752 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

router = cloudinfra.Instance("router",
    region="eu-central",
    type="g6-nanode-1",
    resize_disks=False)
system = cloudinfra.InstanceDisk("system",
    compute_id=router.id,
    label="system",
    size=5120,
    filesystem=cloudinfra.InstanceFilesystem.EXT4)
boot = cloudinfra.InstanceConfig("boot",
    compute_id=router.id,
    label="router",
    kernel="compute/grub2",
    devices={
        "sda": {
            "disk_id": system.id,
        },
    },
    interfaces=[
        {
            "purpose": cloudinfra.InstanceInterfacePurpose.PUBLIC,
        },
        {
            "purpose": cloudinfra.InstanceInterfacePurpose.VLAN,
            "label": "backend",
            "ipam_address": "10.0.0.1/24",
        },
    ])
