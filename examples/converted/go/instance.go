// Converted from instance.yaml 599a5a91 by `make sdks`.
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
		web, err := cloudinfra.NewInstance(ctx, "web", &cloudinfra.InstanceArgs{
			Region:   pulumi.String("eu-central"),
			Type:     pulumi.String("g6-nanode-1"),
			Image:    pulumi.String("compute/debian11"),
			RootPass: rootPass,
			AuthorizedKeys: pulumi.StringArray{
				pulumi.String("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org"),
			},
			PrivateIp: pulumi.Bool(true),
			Alerts: &cloudinfra.InstanceAlertsArgs{
				Cpu: pulumi.Int(90),
			},
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("addresses", web.Ipv4)
		return nil
	})
}
