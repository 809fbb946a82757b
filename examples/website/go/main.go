package main

import (
	"errors"
	"strings"

	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		region := pulumi.String("us-east")

		web, err := cloudinfra.NewInstance(ctx, "web", &cloudinfra.InstanceArgs{
			Label:    pulumi.String("web"),
			Region:   region,
			Type:     pulumi.String("g6-nanode-1"),
			Image:    pulumi.String("compute/debian11"),
			RootPass: config.RequireSecret(ctx, "rootPass"),
			Tags:     pulumi.ToStringArray([]string{"website"}),
		})
		if err != nil {
			return err
		}

		data, err := cloudinfra.NewVolume(ctx, "data", &cloudinfra.VolumeArgs{
			Label:     pulumi.String("web-data"),
			Region:    region,
			Size:      pulumi.Int(20),
			ComputeId: web.ID(),
		})
		if err != nil {
			return err
		}

		firewall, err := cloudinfra.NewFirewall(ctx, "firewall", &cloudinfra.FirewallArgs{
			Label: pulumi.String("web"),
			Rules: &cloudinfra.FirewallRulesArgs{
				InboundPolicy:  cloudinfra.FirewallRuleActionDROP,
				OutboundPolicy: cloudinfra.FirewallRuleActionACCEPT,
				Inbound: cloudinfra.FirewallRuleArray{
					&cloudinfra.FirewallRuleArgs{
						Action:   cloudinfra.FirewallRuleActionACCEPT,
						Protocol: cloudinfra.FirewallRuleProtocolTCP,
						Ports:    pulumi.String("443"),
						Addresses: &cloudinfra.FirewallRuleAddressesArgs{
							Ipv4: pulumi.ToStringArray([]string{"0.0.0.0/0"}),
							Ipv6: pulumi.ToStringArray([]string{"::/0"}),
						},
					},
				},
			},
			Devices: &cloudinfra.FirewallDevicesArgs{Computes: pulumi.StringArray{web.ID()}},
		})
		if err != nil {
			return err
		}

		zone, err := cloudinfra.NewDomain(ctx, "zone", &cloudinfra.DomainArgs{
			Domain:   pulumi.String("example.org"),
			Type:     cloudinfra.DomainTypeMaster,
			SoaEmail: pulumi.String("admin@example.org"),
		})
		if err != nil {
			return err
		}

		if _, err := cloudinfra.NewDomainRecord(ctx, "www", &cloudinfra.DomainRecordArgs{
			DomainId: zone.ID(),
			Type:     cloudinfra.DomainRecordTypeA,
			Name:     pulumi.String("www"),
			Target: web.Ipv4.ApplyT(func(addresses []string) (string, error) {
				for _, address := range addresses {
					if !strings.HasPrefix(address, "192.168.") {
						return address, nil
					}
				}
				return "", errors.New("the server has no public address")
			}).(pulumi.StringOutput),
			TtlSec: pulumi.Int(300),
		}); err != nil {
			return err
		}

		instanceType := cloudinfra.GetInstanceTypeOutput(ctx, cloudinfra.GetInstanceTypeOutputArgs{TypeId: web.Type})

		ctx.Export("website", pulumi.Sprintf("https://www.%s", zone.Domain))
		ctx.Export("dataPath", data.FilesystemPath)
		ctx.Export("firewallId", firewall.ID())
		ctx.Export("memory", instanceType.Memory())
		return nil
	})
}
