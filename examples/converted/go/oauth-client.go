// Converted from oauth-client.yaml abc7bc34 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		dashboard, err := cloudinfra.NewOAuthClient(ctx, "dashboard", &cloudinfra.OAuthClientArgs{
			Label:         pulumi.String("Dashboard"),
			RedirectUri:   pulumi.String("https://dashboard.example.org/login"),
			SecretVersion: pulumi.String("2026"),
		})
		if err != nil {
			return err
		}
		ctx.Export("clientId", dashboard.ID())
		ctx.Export("clientSecret", dashboard.Secret)
		return nil
	})
}
