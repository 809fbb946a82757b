// Converted from managed-compute-settings.yaml 26ab768f by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		invoices, err := cloudinfra.NewInstance(ctx, "invoices", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewManagedComputeSettings(ctx, "settings", &cloudinfra.ManagedComputeSettingsArgs{
			ComputeId: invoices.ID(),
			Ssh: &cloudinfra.ManagedComputeSettingsSshArgs{
				Access: pulumi.Bool(false),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
