package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(program)
}

func program(ctx *pulumi.Context) error {
	conf := config.New(ctx, "")
	name, err := conf.Try("region")
	if err != nil {
		return err
	}
	region := pulumi.String(name)
	rootPass, err := conf.TrySecret("rootPass")
	if err != nil {
		return err
	}

	web, err := cloudinfra.NewInstance(ctx, "web", &cloudinfra.InstanceArgs{
		Region:   region,
		Type:     pulumi.String("g6-nanode-1"),
		Image:    pulumi.String("compute/debian11"),
		RootPass: rootPass,
	})
	if err != nil {
		return err
	}

	data, err := cloudinfra.NewVolume(ctx, "data", &cloudinfra.VolumeArgs{
		Region:    region,
		Size:      pulumi.Int(20),
		ComputeId: web.ID(),
	})
	if err != nil {
		return err
	}

	_, err = cloudinfra.NewFirewall(ctx, "web", &cloudinfra.FirewallArgs{
		Rules: &cloudinfra.FirewallRulesArgs{
			InboundPolicy: cloudinfra.FirewallRuleActionDROP,
			Inbound: cloudinfra.FirewallRuleArray{
				&cloudinfra.FirewallRuleArgs{
					Action:    cloudinfra.FirewallRuleActionACCEPT,
					Protocol:  cloudinfra.FirewallRuleProtocolTCP,
					Ports:     pulumi.String("80, 443"),
					Addresses: &cloudinfra.FirewallRuleAddressesArgs{Ipv4: pulumi.ToStringArray([]string{"0.0.0.0/0"})},
				},
			},
			OutboundPolicy: cloudinfra.FirewallRuleActionACCEPT,
		},
		Devices: &cloudinfra.FirewallDevicesArgs{Computes: pulumi.StringArray{web.ID()}},
	})
	if err != nil {
		return err
	}

	ctx.Export("addresses", web.Ipv4)
	ctx.Export("dataPath", data.FilesystemPath)
	return nil
}
