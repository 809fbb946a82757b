// Converted from volume-clone.yaml de0a41b5 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		original, err := cloudinfra.NewVolume(ctx, "original", &cloudinfra.VolumeArgs{
			Region: pulumi.String("eu-central"),
			Size:   pulumi.Int(20),
		})
		if err != nil {
			return err
		}
		_copy, err := cloudinfra.NewVolumeClone(ctx, "copy", &cloudinfra.VolumeCloneArgs{
			SourceVolumeId: original.ID(),
			Size:           pulumi.Int(40),
			Tags: pulumi.StringArray{
				pulumi.String("staging"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("copyPath", _copy.FilesystemPath)
		return nil
	})
}
