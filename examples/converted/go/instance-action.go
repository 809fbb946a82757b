// Converted from instance-action.yaml 85b74dae by `make sdks`.
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
		cache, err := cloudinfra.NewInstance(ctx, "cache", &cloudinfra.InstanceArgs{
			Region:   pulumi.String("eu-central"),
			Type:     pulumi.String("g6-nanode-1"),
			Image:    pulumi.String("compute/debian11"),
			RootPass: rootPass,
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewInstanceAction(ctx, "rebootCache", &cloudinfra.InstanceActionArgs{
			ComputeId: cache.ID(),
			Reboot:    &cloudinfra.InstanceActionRebootArgs{},
			Triggers: pulumi.Array{
				pulumi.Any("vm.swappiness = 10"),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
