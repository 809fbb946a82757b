// Converted from domain-record.yaml 588d1a58 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := cloudinfra.NewDomain(ctx, "shop", &cloudinfra.DomainArgs{
			Domain:   pulumi.String("shop.example.com"),
			Type:     pulumi.String(cloudinfra.DomainTypeMaster),
			SoaEmail: pulumi.String("admin@example.com"),
		})
		if err != nil {
			return err
		}
		www, err := cloudinfra.NewDomainRecord(ctx, "www", &cloudinfra.DomainRecordArgs{
			DomainId: shop.ID(),
			Type:     pulumi.String(cloudinfra.DomainRecordTypeA),
			Name:     pulumi.String("www"),
			Target:   pulumi.String("203.0.113.10"),
			TtlSec:   pulumi.Int(300),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewDomainRecord(ctx, "mail", &cloudinfra.DomainRecordArgs{
			DomainId: shop.ID(),
			Type:     pulumi.String(cloudinfra.DomainRecordTypeMX),
			Target:   pulumi.String("mail.example.com"),
			Priority: pulumi.Int(10),
		})
		if err != nil {
			return err
		}
		ctx.Export("address", www.Fqdn)
		return nil
	})
}
