# Converted from firewall-device.yaml e1a544e1 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

office = cloudinfra.Firewall("office", rules={
    "inbound_policy": cloudinfra.FirewallRuleAction.DROP,
    "outbound_policy": cloudinfra.FirewallRuleAction.ACCEPT,
})
printer = cloudinfra.Instance("printer",
    region="eu-central",
    type="g6-nanode-1")
printer_of_office = cloudinfra.FirewallDevice("printerOfOffice",
    firewall_id=office.id,
    entity_id=printer.id)
