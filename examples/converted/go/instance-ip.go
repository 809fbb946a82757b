// Converted from instance-ip.yaml 75f659be by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		backend, err := cloudinfra.NewInstance(ctx, "backend", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		inside, err := cloudinfra.NewInstanceIp(ctx, "inside", &cloudinfra.InstanceIpArgs{
			ComputeId: backend.ID(),
			Public:    pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		ctx.Export("address", inside.Address)
		return nil
	})
}
