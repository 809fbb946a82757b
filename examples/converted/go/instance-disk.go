// Converted from instance-disk.yaml c91e7adf by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		builder, err := cloudinfra.NewInstance(ctx, "builder", &cloudinfra.InstanceArgs{
			Region:      pulumi.String("eu-central"),
			Type:        pulumi.String("g6-nanode-1"),
			ResizeDisks: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		scratch, err := cloudinfra.NewInstanceDisk(ctx, "scratch", &cloudinfra.InstanceDiskArgs{
			ComputeId:  builder.ID(),
			Label:      pulumi.String("scratch"),
			Size:       pulumi.Int(5120),
			Filesystem: pulumi.String(cloudinfra.InstanceFilesystemExt4),
		})
		if err != nil {
			return err
		}
		ctx.Export("size", scratch.Size)
		return nil
	})
}
