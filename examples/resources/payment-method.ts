import * as pulumi from "@pulumi/pulumi";
import { PaymentMethod } from "pulumi-cloudinfra";

const config = new pulumi.Config();

// pulumi config set --secret cardNumber
// pulumi config set --secret cvv
new PaymentMethod("company-card", {
  data: {
    cardNumber: config.requireSecret("cardNumber"),
    expiryMonth: 1,
    expiryYear: 2031,
    cvv: config.requireSecret("cvv"),
  },
});
