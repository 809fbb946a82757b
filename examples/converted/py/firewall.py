# Converted from firewall.yaml 0df1717e by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

proxy = cloudinfra.Instance("proxy",
    region="eu-central",
    type="g6-nanode-1")
proxies = cloudinfra.Firewall("proxies",
    rules={
        "inbound_policy": cloudinfra.FirewallRuleAction.DROP,
        "inbound": [{
            "label": "web",
            "action": cloudinfra.FirewallRuleAction.ACCEPT,
            "protocol": cloudinfra.FirewallRuleProtocol.TCP,
            "ports": "80, 443",
            "addresses": {
                "ipv4": ["0.0.0.0/0"],
                "ipv6": ["::/0"],
            },
        }],
        "outbound_policy": cloudinfra.FirewallRuleAction.ACCEPT,
    },
    devices={
        "computes": [proxy.id],
    })
pulumi.export("firewallId", proxies.id)
