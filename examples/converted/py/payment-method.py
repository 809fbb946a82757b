# Converted from payment-method.yaml e397cf54 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
number = config.require_secret("cardNumber")
code = config.require_secret("cvv")
company_card = cloudinfra.PaymentMethod("companyCard", data={
    "card_number": number,
    "expiry_month": 1,
    "expiry_year": 2031,
    "cvv": code,
})
