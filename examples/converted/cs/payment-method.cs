// Converted from payment-method.yaml e397cf54 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var number = config.RequireSecret("cardNumber");
    var code = config.RequireSecret("cvv");
    var companyCard = new CloudInfra.PaymentMethod("companyCard", new()
    {
        Data = new CloudInfra.Inputs.PaymentCreditCardArgs
        {
            CardNumber = number,
            ExpiryMonth = 1,
            ExpiryYear = 2031,
            Cvv = code,
        },
    });

});

