from unittest import TestCase

from linode_api4.errors import ApiError
from linode_api4.objects import Firewall, NodeBalancer, NodeBalancerConfig, NodeBalancerNode

from cloud import client, instance

RULES = {
    "inbound": [
        {
            "action": "ACCEPT",
            "label": "web",
            "protocol": "TCP",
            "ports": "80, 443",
            "addresses": {"ipv4": ["0.0.0.0/0"], "ipv6": ["::/0"]},
        }
    ],
    "inbound_policy": "DROP",
    "outbound": [],
    "outbound_policy": "ACCEPT",
}


class FirewallTest(TestCase):
    def test_create_read_update_delete_with_devices(self):
        web = instance("py-firewalled")
        edge = client.networking.firewall_create("py-edge", RULES, tags=["prod"])
        self.assertEqual((edge.label, edge.status, edge.rules.inbound[0].ports), ("py-edge", "enabled", "80, 443"))
        device = edge.device_create(web.id)
        self.assertEqual((device.entity.type, device.entity.id), ("linode", web.id))
        self.assertEqual([one.id for one in edge.devices], [device.id])
        edge.update_rules({**RULES, "inbound_policy": "ACCEPT", "inbound": []})
        self.assertEqual((edge.rules.inbound_policy, edge.rules.inbound), ("ACCEPT", []))
        edge.label = "py-gate"
        edge.status = "disabled"
        self.assertTrue(edge.save())
        again = client.load(Firewall, edge.id)
        self.assertEqual((again.label, again.status), ("py-gate", "disabled"))
        self.assertTrue(device.delete())
        self.assertTrue(edge.delete())
        web.delete()


class LoadBalancerTest(TestCase):
    def test_create_read_update_delete_with_config_and_nodes(self):
        web = instance("py-backend", private_ip=True)
        (private,) = web.ips.ipv4.private
        front = client.nodebalancer_create("us-east", label="py-front", client_conn_throttle=5)
        config = front.config_create(port=80, protocol="http", check="connection")
        self.assertEqual((config.check_timeout, config.check_interval, config.check_path), (30, 31, ""))
        node = config.node_create("web", private.address + ":80")
        self.assertEqual((node.weight, node.mode), (50, "accept"))
        node.weight = 70
        self.assertTrue(node.save())
        again = client.load(NodeBalancerNode, node.id, (config.id, front.id))
        self.assertEqual((again.address, again.weight), (private.address + ":80", 70))
        config.port = 8080
        config.check_timeout = 10
        config.check_interval = 20
        self.assertTrue(config.save())
        self.assertEqual(client.load(NodeBalancerConfig, config.id, front.id).port, 8080)
        front.label = "py-entry"
        front.client_conn_throttle = 0
        self.assertTrue(front.save())
        again = client.load(NodeBalancer, front.id)
        self.assertEqual((again.label, again.client_conn_throttle), ("py-entry", 0))
        self.assertTrue(node.delete())
        self.assertTrue(config.delete())
        self.assertTrue(front.delete())
        with self.assertRaises(ApiError):
            client.load(NodeBalancer, front.id).hostname
        web.delete()
