import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
region = "us-east"

web = cloudinfra.Instance(
    "web",
    label="web",
    region=region,
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=config.require_secret("rootPass"),
    tags=["website"],
)

data = cloudinfra.Volume("data", label="web-data", region=region, size=20, compute_id=web.id)

firewall = cloudinfra.Firewall(
    "firewall",
    label="web",
    rules=cloudinfra.FirewallRulesArgs(
        inbound_policy=cloudinfra.FirewallRuleAction.DROP,
        outbound_policy=cloudinfra.FirewallRuleAction.ACCEPT,
        inbound=[
            cloudinfra.FirewallRuleArgs(
                action=cloudinfra.FirewallRuleAction.ACCEPT,
                protocol=cloudinfra.FirewallRuleProtocol.TCP,
                ports="443",
                addresses=cloudinfra.FirewallRuleAddressesArgs(ipv4=["0.0.0.0/0"], ipv6=["::/0"]),
            )
        ],
    ),
    devices=cloudinfra.FirewallDevicesArgs(computes=[web.id]),
)

zone = cloudinfra.Domain(
    "zone", domain="example.org", type=cloudinfra.DomainType.MASTER, soa_email="admin@example.org"
)

cloudinfra.DomainRecord(
    "www",
    domain_id=zone.id,
    type=cloudinfra.DomainRecordType.A,
    name="www",
    target=web.ipv4.apply(lambda addresses: next(one for one in addresses if not one.startswith("192.168."))),
    ttl_sec=300,
)

instance_type = cloudinfra.get_instance_type_output(type_id=web.type)

pulumi.export("website", pulumi.Output.concat("https://www.", zone.domain))
pulumi.export("dataPath", data.filesystem_path)
pulumi.export("firewallId", firewall.id)
pulumi.export("memory", instance_type.memory)
