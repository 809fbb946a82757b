// Converted from ip-assignment.yaml b0ce79f5 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		blue, err := cloudinfra.NewInstance(ctx, "blue", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		green, err := cloudinfra.NewInstance(ctx, "green", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewIpAssignment(ctx, "live", &cloudinfra.IpAssignmentArgs{
			Region: pulumi.String("eu-central"),
			Assignments: cloudinfra.IpAssignmentAssignmentArray{
				&cloudinfra.IpAssignmentAssignmentArgs{
					Address: blue.Ipv4.ApplyT(func(ipv4 []string) (string, error) {
						return ipv4[0], nil
					}).(pulumi.StringOutput),
					ComputeId: blue.ID(),
				},
				&cloudinfra.IpAssignmentAssignmentArgs{
					Address: green.Ipv4.ApplyT(func(ipv4 []string) (string, error) {
						return ipv4[0], nil
					}).(pulumi.StringOutput),
					ComputeId: green.ID(),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
