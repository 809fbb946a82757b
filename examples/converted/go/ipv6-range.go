// Converted from ipv6-range.yaml 2d56aeb7 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		range0 := cfg.Require("range")
		containers, err := cloudinfra.NewIpv6Range(ctx, "containers", &cloudinfra.Ipv6RangeArgs{
			Range: pulumi.String(range0),
		})
		if err != nil {
			return err
		}
		ctx.Export("routedBy", containers.RouteTarget)
		return nil
	})
}
