// Converted from service-transfer.yaml 3c36fb39 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		sold, err := cloudinfra.NewInstance(ctx, "sold", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		sale, err := cloudinfra.NewServiceTransfer(ctx, "sale", &cloudinfra.ServiceTransferArgs{
			Entities: &cloudinfra.ServiceTransferEntitiesArgs{
				Computes: pulumi.StringArray{
					sold.ID(),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("token", sale.Token)
		return nil
	})
}
