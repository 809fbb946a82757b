// Converted from managed-contact.yaml 69d31bb4 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := cloudinfra.NewManagedContact(ctx, "nightShift", &cloudinfra.ManagedContactArgs{
			Name:  pulumi.String("Night shift"),
			Email: pulumi.String("night@example.org"),
			Phone: &cloudinfra.ManagedContactPhoneArgs{
				Primary: pulumi.String("+1 555 0100"),
			},
			Group: pulumi.String("night-shift"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
