// Converted from managed-service.yaml 13dce20c by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := cloudinfra.NewManagedService(ctx, "storefront", &cloudinfra.ManagedServiceArgs{
			Label:       pulumi.String("storefront"),
			ServiceType: pulumi.String(cloudinfra.ManagedServiceServiceTypeUrl),
			Address:     pulumi.String("https://www.example.org/health"),
			Timeout:     pulumi.Int(10),
			Body:        pulumi.String("everything is fine"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
