// Converted from instance-config.yaml 82027752 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		router, err := cloudinfra.NewInstance(ctx, "router", &cloudinfra.InstanceArgs{
			Region:      pulumi.String("eu-central"),
			Type:        pulumi.String("g6-nanode-1"),
			ResizeDisks: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		system, err := cloudinfra.NewInstanceDisk(ctx, "system", &cloudinfra.InstanceDiskArgs{
			ComputeId:  router.ID(),
			Label:      pulumi.String("system"),
			Size:       pulumi.Int(5120),
			Filesystem: pulumi.String(cloudinfra.InstanceFilesystemExt4),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewInstanceConfig(ctx, "boot", &cloudinfra.InstanceConfigArgs{
			ComputeId: router.ID(),
			Label:     pulumi.String("router"),
			Kernel:    pulumi.String("compute/grub2"),
			Devices: &cloudinfra.InstanceDevicesArgs{
				Sda: &cloudinfra.InstanceDeviceArgs{
					DiskId: system.ID(),
				},
			},
			Interfaces: cloudinfra.InstanceInterfaceArray{
				&cloudinfra.InstanceInterfaceArgs{
					Purpose: pulumi.String(cloudinfra.InstanceInterfacePurposePublic),
				},
				&cloudinfra.InstanceInterfaceArgs{
					Purpose:     pulumi.String(cloudinfra.InstanceInterfacePurposeVlan),
					Label:       pulumi.String("backend"),
					IpamAddress: pulumi.String("10.0.0.1/24"),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
