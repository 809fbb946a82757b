// Converted from lke-node-pool.yaml 7b2608d5 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		jobs, err := cloudinfra.NewLkeCluster(ctx, "jobs", &cloudinfra.LkeClusterArgs{
			Region:     pulumi.String("eu-central"),
			K8sVersion: pulumi.String("1.21"),
			Pools: cloudinfra.LkePoolMap{
				"system": &cloudinfra.LkePoolArgs{
					Type:  pulumi.String("g6-standard-1"),
					Count: pulumi.Int(1),
				},
			},
		})
		if err != nil {
			return err
		}
		reports, err := cloudinfra.NewLkeNodePool(ctx, "reports", &cloudinfra.LkeNodePoolArgs{
			ClusterId: jobs.ID(),
			Type:      pulumi.String("g6-standard-2"),
			Count:     pulumi.Int(2),
			Tags: pulumi.StringArray{
				pulumi.String("reports"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("nodes", reports.Count)
		return nil
	})
}
