import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
region = config.require("region")

web = cloudinfra.Instance(
    "web",
    region=region,
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=config.require_secret("rootPass"),
)

data = cloudinfra.Volume("data", region=region, size=20, compute_id=web.id)

firewall = cloudinfra.Firewall(
    "web",
    rules=cloudinfra.FirewallRulesArgs(
        inbound_policy=cloudinfra.FirewallRuleAction.DROP,
        inbound=[
            cloudinfra.FirewallRuleArgs(
                action=cloudinfra.FirewallRuleAction.ACCEPT,
                protocol=cloudinfra.FirewallRuleProtocol.TCP,
                ports="80, 443",
                addresses=cloudinfra.FirewallRuleAddressesArgs(ipv4=["0.0.0.0/0"]),
            )
        ],
        outbound_policy=cloudinfra.FirewallRuleAction.ACCEPT,
    ),
    devices=cloudinfra.FirewallDevicesArgs(computes=[web.id]),
)

pulumi.export("addresses", web.ipv4)
pulumi.export("dataPath", data.filesystem_path)
