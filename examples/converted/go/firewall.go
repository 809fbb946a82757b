// Converted from firewall.yaml 0df1717e by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		proxy, err := cloudinfra.NewInstance(ctx, "proxy", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		proxies, err := cloudinfra.NewFirewall(ctx, "proxies", &cloudinfra.FirewallArgs{
			Rules: &cloudinfra.FirewallRulesArgs{
				InboundPolicy: pulumi.String(cloudinfra.FirewallRuleActionDROP),
				Inbound: cloudinfra.FirewallRuleArray{
					&cloudinfra.FirewallRuleArgs{
						Label:    pulumi.String("web"),
						Action:   pulumi.String(cloudinfra.FirewallRuleActionACCEPT),
						Protocol: pulumi.String(cloudinfra.FirewallRuleProtocolTCP),
						Ports:    pulumi.String("80, 443"),
						Addresses: &cloudinfra.FirewallRuleAddressesArgs{
							Ipv4: pulumi.StringArray{
								pulumi.String("0.0.0.0/0"),
							},
							Ipv6: pulumi.StringArray{
								pulumi.String("::/0"),
							},
						},
					},
				},
				OutboundPolicy: pulumi.String(cloudinfra.FirewallRuleActionACCEPT),
			},
			Devices: &cloudinfra.FirewallDevicesArgs{
				Computes: pulumi.StringArray{
					proxy.ID(),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("firewallId", proxies.ID())
		return nil
	})
}
