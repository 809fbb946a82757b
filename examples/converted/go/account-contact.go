// Converted from account-contact.yaml 4bd977bd by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		billing, err := cloudinfra.NewAccountContact(ctx, "billing", &cloudinfra.AccountContactArgs{
			Company: pulumi.String("Example Ltd"),
			Email:   pulumi.String("billing@example.org"),
			Phone:   pulumi.String("555-0100"),
		})
		if err != nil {
			return err
		}
		ctx.Export("since", billing.ActiveSince)
		return nil
	})
}
