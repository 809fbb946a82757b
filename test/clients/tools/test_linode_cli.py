from unittest import TestCase

from cloud import PASSWORD, linode, until


def running(label, *more):
    (web,) = linode(
        "linodes", "create", "--label", label, "--region", "us-ord", "--type", "g6-standard-1",
        "--image", "linode/ubuntu24.04", "--root_pass", PASSWORD, *more,
    )
    return until(lambda: linode("linodes", "view", web["id"])[0], lambda one: one["status"] == "running")


class InstanceTest(TestCase):
    def test_instance_with_disks_and_config(self):
        web = running("cli-web", "--tags", "prod", "--private_ip", "true")
        self.assertEqual((web["region"], web["image"], web["tags"]), ("us-ord", "linode/ubuntu24.04", ["prod"]))
        self.assertEqual((web["disk_encryption"], web["interface_generation"]), ("disabled", "legacy_config"))
        (renamed,) = linode("linodes", "update", web["id"], "--label", "cli-app")
        self.assertEqual(renamed["label"], "cli-app")
        self.assertEqual([one["id"] for one in linode("linodes", "ls", "--label", "cli-app")], [web["id"]])
        disks = linode("linodes", "disks-list", web["id"])
        self.assertEqual(len(disks), 2)
        (config,) = linode("linodes", "configs-list", web["id"])
        (changed,) = linode("linodes", "config-update", web["id"], config["id"], "--comments", "by the client")
        self.assertEqual(changed["comments"], "by the client")
        linode("linodes", "shutdown", web["id"])
        until(lambda: linode("linodes", "view", web["id"])[0]["status"], lambda status: status == "offline")
        linode("linodes", "delete", web["id"])
        self.assertEqual(linode("linodes", "ls", "--label", "cli-app"), [])


class VolumeTest(TestCase):
    def test_volume(self):
        (data,) = linode("volumes", "create", "--label", "cli-data", "--region", "us-ord", "--size", 20)
        until(lambda: linode("volumes", "view", data["id"])[0]["status"], lambda status: status == "active")
        linode("volumes", "resize", data["id"], "--size", 30)
        until(lambda: linode("volumes", "view", data["id"])[0]["size"], lambda size: size == 30)
        (tagged,) = linode("volumes", "update", data["id"], "--tags", "prod", "--label", "cli-files")
        self.assertEqual((tagged["label"], tagged["tags"], tagged["encryption"]), ("cli-files", ["prod"], "disabled"))
        until(lambda: linode("volumes", "view", data["id"])[0]["status"], lambda status: status == "active")
        linode("volumes", "delete", data["id"])
        self.assertEqual(linode("volumes", "ls"), [])


class DomainTest(TestCase):
    def test_domain_with_records(self):
        (zone,) = linode(
            "domains", "create", "--type", "master", "--domain", "cli.example", "--soa_email", "admin@cli.example"
        )
        (record,) = linode(
            "domains", "records-create", zone["id"], "--type", "A", "--name", "www", "--target", "192.0.2.1"
        )
        (changed,) = linode("domains", "records-update", zone["id"], record["id"], "--target", "192.0.2.2")
        self.assertEqual(changed["target"], "192.0.2.2")
        linode("domains", "records-delete", zone["id"], record["id"])
        linode("domains", "delete", zone["id"])


class FirewallTest(TestCase):
    def test_firewall_with_devices(self):
        web = running("cli-firewalled")
        (edge,) = linode(
            "firewalls", "create", "--label", "cli-edge", "--rules.inbound_policy", "DROP",
            "--rules.outbound_policy", "ACCEPT", "--rules.inbound",
            '[{"protocol":"TCP","ports":"80","addresses":{"ipv4":["0.0.0.0/0"]},"action":"ACCEPT","label":"web"}]',
        )
        (device,) = linode("firewalls", "device-create", edge["id"], "--id", web["id"], "--type", "linode")
        self.assertEqual(device["entity"]["label"], "cli-firewalled")
        (again,) = linode("firewalls", "view", edge["id"])
        self.assertEqual([one["id"] for one in again["entities"]], [web["id"]])
        linode("firewalls", "device-delete", edge["id"], device["id"])
        linode("firewalls", "delete", edge["id"])
        linode("linodes", "delete", web["id"])


class LoadBalancerTest(TestCase):
    def test_load_balancer_with_config_and_nodes(self):
        web = running("cli-backend", "--private_ip", "true")
        private = next(address for address in web["ipv4"] if address.startswith("192.168."))
        (front,) = linode("nodebalancers", "create", "--region", "us-ord", "--label", "cli-front")
        (config,) = linode("nodebalancers", "config-create", front["id"], "--port", 80, "--protocol", "http")
        (node,) = linode(
            "nodebalancers", "node-create", front["id"], config["id"], "--label", "web", "--address", private + ":80"
        )
        (changed,) = linode("nodebalancers", "node-update", front["id"], config["id"], node["id"], "--weight", 70)
        self.assertEqual(changed["weight"], 70)
        linode("nodebalancers", "node-delete", front["id"], config["id"], node["id"])
        linode("nodebalancers", "config-delete", front["id"], config["id"])
        linode("nodebalancers", "delete", front["id"])
        linode("linodes", "delete", web["id"])


class ClusterTest(TestCase):
    def test_cluster_with_pools(self):
        (prod,) = linode(
            "lke", "cluster-create", "--label", "cli-prod", "--region", "us-ord", "--k8s_version", "1.34",
            "--node_pools.type", "g6-standard-1", "--node_pools.count", 1,
        )
        self.assertEqual((prod["tier"], prod["status"]), ("standard", "ready"))
        (pool,) = linode("lke", "pools-list", prod["id"])
        (second,) = linode("lke", "pool-create", prod["id"], "--type", "g6-standard-2", "--count", 1)
        (changed,) = linode("lke", "pool-update", prod["id"], second["id"], "--count", 2)
        self.assertEqual(changed["count"], 2)
        linode("lke", "pool-delete", prod["id"], second["id"])
        linode("lke", "cluster-delete", prod["id"])
        self.assertEqual(linode("lke", "clusters-list"), [])


class BucketTest(TestCase):
    def test_key(self):
        (key,) = linode("object-storage", "keys-create", "--label", "cli-key")
        (changed,) = linode("object-storage", "keys-update", "--label", "cli-renamed", key["id"])
        self.assertEqual(changed["label"], "cli-renamed")
        linode("object-storage", "keys-delete", key["id"])
