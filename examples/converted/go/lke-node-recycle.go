// Converted from lke-node-recycle.yaml 2b22df3c by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		tools, err := cloudinfra.NewLkeCluster(ctx, "tools", &cloudinfra.LkeClusterArgs{
			Region:     pulumi.String("eu-central"),
			K8sVersion: pulumi.String("1.21"),
			Pools: cloudinfra.LkePoolMap{
				"main": &cloudinfra.LkePoolArgs{
					Type:  pulumi.String("g6-standard-1"),
					Count: pulumi.Int(2),
				},
			},
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewLkeNodeRecycle(ctx, "nodesOfTools", &cloudinfra.LkeNodeRecycleArgs{
			ClusterId: tools.ID(),
			Triggers: pulumi.Array{
				tools.K8sVersion,
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
