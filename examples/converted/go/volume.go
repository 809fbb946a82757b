// Converted from volume.yaml 5f219bdf by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		rootPass := cfg.RequireSecret("rootPass")
		database, err := cloudinfra.NewInstance(ctx, "database", &cloudinfra.InstanceArgs{
			Region:   pulumi.String("eu-central"),
			Type:     pulumi.String("g6-nanode-1"),
			Image:    pulumi.String("compute/debian11"),
			RootPass: rootPass,
		})
		if err != nil {
			return err
		}
		data, err := cloudinfra.NewVolume(ctx, "data", &cloudinfra.VolumeArgs{
			Region:    pulumi.String("eu-central"),
			Size:      pulumi.Int(40),
			ComputeId: database.ID(),
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("path", data.FilesystemPath)
		return nil
	})
}
