// Converted from volume-attachment.yaml d8bb7303 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		rootPass := cfg.RequireSecret("rootPass")
		player, err := cloudinfra.NewInstance(ctx, "player", &cloudinfra.InstanceArgs{
			Region:   pulumi.String("eu-central"),
			Type:     pulumi.String("g6-nanode-1"),
			Image:    pulumi.String("compute/debian11"),
			RootPass: rootPass,
		})
		if err != nil {
			return err
		}
		media, err := cloudinfra.NewVolume(ctx, "media", &cloudinfra.VolumeArgs{
			Region: pulumi.String("eu-central"),
			Size:   pulumi.Int(20),
		})
		if err != nil {
			return err
		}
		mediaOfPlayer, err := cloudinfra.NewVolumeAttachment(ctx, "mediaOfPlayer", &cloudinfra.VolumeAttachmentArgs{
			VolumeId:  media.ID(),
			ComputeId: player.ID(),
		})
		if err != nil {
			return err
		}
		ctx.Export("path", mediaOfPlayer.FilesystemPath)
		return nil
	})
}
