// Converted from firewall-device.yaml e1a544e1 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		office, err := cloudinfra.NewFirewall(ctx, "office", &cloudinfra.FirewallArgs{
			Rules: &cloudinfra.FirewallRulesArgs{
				InboundPolicy:  pulumi.String(cloudinfra.FirewallRuleActionDROP),
				OutboundPolicy: pulumi.String(cloudinfra.FirewallRuleActionACCEPT),
			},
		})
		if err != nil {
			return err
		}
		printer, err := cloudinfra.NewInstance(ctx, "printer", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewFirewallDevice(ctx, "printerOfOffice", &cloudinfra.FirewallDeviceArgs{
			FirewallId: office.ID(),
			EntityId:   printer.ID(),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
