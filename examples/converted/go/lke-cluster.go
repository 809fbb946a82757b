// Converted from lke-cluster.yaml 6b86cd03 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		apps, err := cloudinfra.NewLkeCluster(ctx, "apps", &cloudinfra.LkeClusterArgs{
			Region:     pulumi.String("eu-central"),
			K8sVersion: pulumi.String("1.21"),
			Pools: cloudinfra.LkePoolMap{
				"web": &cloudinfra.LkePoolArgs{
					Type:  pulumi.String("g6-standard-1"),
					Count: pulumi.Int(2),
					Autoscaler: &cloudinfra.LkePoolAutoscalerArgs{
						Enabled: pulumi.Bool(true),
						Min:     pulumi.Int(2),
						Max:     pulumi.Int(5),
					},
				},
				"batch": &cloudinfra.LkePoolArgs{
					Type:  pulumi.String("g6-standard-2"),
					Count: pulumi.Int(1),
				},
			},
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("kubeconfig", apps.Kubeconfig)
		return nil
	})
}
