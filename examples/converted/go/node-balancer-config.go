// Converted from node-balancer-config.yaml aeb5c0e5 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		blog, err := cloudinfra.NewNodeBalancer(ctx, "blog", &cloudinfra.NodeBalancerArgs{
			Region: pulumi.String("eu-central"),
		})
		if err != nil {
			return err
		}
		blogHttp, err := cloudinfra.NewNodeBalancerConfig(ctx, "blogHttp", &cloudinfra.NodeBalancerConfigArgs{
			NodebalancerId: blog.ID(),
			Port:           pulumi.Int(80),
			Protocol:       pulumi.String(cloudinfra.NodeBalancerConfigProtocolHttp),
			Algorithm:      pulumi.String(cloudinfra.NodeBalancerConfigAlgorithmLeastconn),
			Stickiness:     pulumi.String(cloudinfra.NodeBalancerConfigStickinessHttpCookie),
			Check:          pulumi.String(cloudinfra.NodeBalancerConfigCheckHttp),
			CheckPath:      pulumi.String("/health"),
		})
		if err != nil {
			return err
		}
		ctx.Export("port", blogHttp.Port)
		return nil
	})
}
