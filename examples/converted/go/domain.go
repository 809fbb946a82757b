// Converted from domain.yaml 6ba97015 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		zone, err := cloudinfra.NewDomain(ctx, "zone", &cloudinfra.DomainArgs{
			Domain:   pulumi.String("example.org"),
			Type:     pulumi.String(cloudinfra.DomainTypeMaster),
			SoaEmail: pulumi.String("admin@example.org"),
			TtlSec:   pulumi.Int(3600),
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("domainId", zone.ID())
		return nil
	})
}
