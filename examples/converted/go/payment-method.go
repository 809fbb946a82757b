// Converted from payment-method.yaml e397cf54 by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		number := cfg.RequireSecret("cardNumber")
		code := cfg.RequireSecret("cvv")
		_, err := cloudinfra.NewPaymentMethod(ctx, "companyCard", &cloudinfra.PaymentMethodArgs{
			Data: &cloudinfra.PaymentCreditCardArgs{
				CardNumber:  number,
				ExpiryMonth: pulumi.Int(1),
				ExpiryYear:  pulumi.Int(2031),
				Cvv:         code,
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
