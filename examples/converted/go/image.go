// Converted from image.yaml 3496e11e by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		golden, err := cloudinfra.NewImage(ctx, "golden", &cloudinfra.ImageArgs{
			Region:      pulumi.String("us-east"),
			Source:      pulumi.NewStringAsset("what a disk holds"),
			Description: pulumi.String("Debian with our certificates"),
		})
		if err != nil {
			return err
		}
		ctx.Export("id", golden.ID())
		return nil
	})
}
