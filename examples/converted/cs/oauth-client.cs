// Converted from oauth-client.yaml abc7bc34 by `make sdks`.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudInfra = Pulumi.CloudInfra;

return await Deployment.RunAsync(() => 
{
    var dashboard = new CloudInfra.OAuthClient("dashboard", new()
    {
        Label = "Dashboard",
        RedirectUri = "https://dashboard.example.org/login",
        SecretVersion = "2026",
    });

    return new Dictionary<string, object?>
    {
        ["clientId"] = dashboard.Id,
        ["clientSecret"] = dashboard.Secret,
    };
});

