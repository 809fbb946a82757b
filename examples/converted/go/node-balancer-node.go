// Converted from node-balancer-node.yaml 25e0912e by `make sdks`.
package main

import (
	"fmt"

	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		forum, err := cloudinfra.NewNodeBalancer(ctx, "forum", &cloudinfra.NodeBalancerArgs{
			Region: pulumi.String("eu-central"),
		})
		if err != nil {
			return err
		}
		forumHttp, err := cloudinfra.NewNodeBalancerConfig(ctx, "forumHttp", &cloudinfra.NodeBalancerConfigArgs{
			NodebalancerId: forum.ID(),
			Port:           pulumi.Int(80),
		})
		if err != nil {
			return err
		}
		server, err := cloudinfra.NewInstance(ctx, "server", &cloudinfra.InstanceArgs{
			Region:    pulumi.String("eu-central"),
			Type:      pulumi.String("g6-nanode-1"),
			PrivateIp: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewNodeBalancerNode(ctx, "forumServer", &cloudinfra.NodeBalancerNodeArgs{
			NodebalancerId: forum.ID(),
			ConfigId:       forumHttp.ID(),
			Label:          pulumi.String("server"),
			Address: server.Ipv4.ApplyT(func(ipv4 []string) (string, error) {
				return fmt.Sprintf("%v:8080", ipv4[1]), nil
			}).(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}
		ctx.Export("address", forum.Ipv4)
		return nil
	})
}
