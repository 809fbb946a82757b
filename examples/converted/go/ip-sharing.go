// Converted from ip-sharing.yaml 0f925c2b by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		active, err := cloudinfra.NewInstance(ctx, "active", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		standby, err := cloudinfra.NewInstance(ctx, "standby", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewIpSharing(ctx, "failover", &cloudinfra.IpSharingArgs{
			ComputeId: standby.ID(),
			Ips:       active.Ipv4,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
