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
			Protocol:       cloudinfra.NodeBalancerConfigProtocolHttp,
			Algorithm:      cloudinfra.NodeBalancerConfigAlgorithmLeastconn,
			Stickiness:     cloudinfra.NodeBalancerConfigStickinessHttpCookie,
			Check:          cloudinfra.NodeBalancerConfigCheckHttp,
			CheckPath:      pulumi.String("/health"),
		})
		if err != nil {
			return err
		}
		ctx.Export("port", blogHttp.Port)
		return nil
	})
}
