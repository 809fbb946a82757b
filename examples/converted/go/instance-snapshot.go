// Converted from instance-snapshot.yaml 63df312d by `make sdks`.
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
		wiki, err := cloudinfra.NewInstance(ctx, "wiki", &cloudinfra.InstanceArgs{
			Region:         pulumi.String("eu-central"),
			Type:           pulumi.String("g6-nanode-1"),
			Image:          pulumi.String("compute/debian11"),
			RootPass:       rootPass,
			BackupsEnabled: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewInstanceSnapshot(ctx, "beforeUpgrade", &cloudinfra.InstanceSnapshotArgs{
			ComputeId: wiki.ID(),
			Label:     pulumi.String("before-upgrade"),
			Triggers: pulumi.Array{
				pulumi.Any("1.2.0"),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
