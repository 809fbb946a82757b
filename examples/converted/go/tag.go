// Converted from tag.yaml 33cef590 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		archive, err := cloudinfra.NewVolume(ctx, "archive", &cloudinfra.VolumeArgs{
			Region: pulumi.String("eu-central"),
			Size:   pulumi.Int(10),
		})
		if err != nil {
			return err
		}
		intranet, err := cloudinfra.NewDomain(ctx, "intranet", &cloudinfra.DomainArgs{
			Domain:   pulumi.String("intranet.example"),
			Type:     pulumi.String(cloudinfra.DomainTypeMaster),
			SoaEmail: pulumi.String("admin@intranet.example"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewTag(ctx, "billingDept", &cloudinfra.TagArgs{
			Label: pulumi.String("billing-dept"),
			Volumes: pulumi.StringArray{
				archive.ID(),
			},
			Domains: pulumi.StringArray{
				intranet.ID(),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
