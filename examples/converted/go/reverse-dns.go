// Converted from reverse-dns.yaml b61d09b5 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		mailer, err := cloudinfra.NewInstance(ctx, "mailer", &cloudinfra.InstanceArgs{
			Region: pulumi.String("eu-central"),
			Type:   pulumi.String("g6-nanode-1"),
		})
		if err != nil {
			return err
		}
		post, err := cloudinfra.NewDomain(ctx, "post", &cloudinfra.DomainArgs{
			Domain:   pulumi.String("post.example.org"),
			Type:     pulumi.String(cloudinfra.DomainTypeMaster),
			SoaEmail: pulumi.String("admin@post.example.org"),
		})
		if err != nil {
			return err
		}
		smtp, err := cloudinfra.NewDomainRecord(ctx, "smtp", &cloudinfra.DomainRecordArgs{
			DomainId: post.ID(),
			Type:     pulumi.String(cloudinfra.DomainRecordTypeA),
			Name:     pulumi.String("smtp"),
			Target: mailer.Ipv4.ApplyT(func(ipv4 []string) (string, error) {
				return ipv4[0], nil
			}).(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewReverseDns(ctx, "reverse", &cloudinfra.ReverseDnsArgs{
			Address: mailer.Ipv4.ApplyT(func(ipv4 []string) (string, error) {
				return ipv4[0], nil
			}).(pulumi.StringOutput),
			Rdns: smtp.Fqdn,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
