# Converted from instance-disk.yaml c91e7adf by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

builder = cloudinfra.Instance("builder",
    region="eu-central",
    type="g6-nanode-1",
    resize_disks=False)
scratch = cloudinfra.InstanceDisk("scratch",
    compute_id=builder.id,
    label="scratch",
    size=5120,
    filesystem=cloudinfra.InstanceFilesystem.EXT4)
pulumi.export("size", scratch.size)
