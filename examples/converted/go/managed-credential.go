// Converted from managed-credential.yaml 08767baa by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		supportPass := cfg.RequireSecret("supportPass")
		_, err := cloudinfra.NewManagedCredential(ctx, "support", &cloudinfra.ManagedCredentialArgs{
			Label:    pulumi.String("support"),
			Username: pulumi.String("support"),
			Password: supportPass,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
