// Converted from node-balancer.yaml fbb4eea3 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		front, err := cloudinfra.NewNodeBalancer(ctx, "front", &cloudinfra.NodeBalancerArgs{
			Region:             pulumi.String("eu-central"),
			ClientConnThrottle: pulumi.Int(20),
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("address", front.Ipv4)
		return nil
	})
}
