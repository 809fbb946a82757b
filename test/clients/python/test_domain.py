from unittest import TestCase

from linode_api4.objects import Domain

from cloud import client


class DomainTest(TestCase):
    def test_create_read_update_delete_with_records(self):
        zone = client.domain_create("py.example", soa_email="admin@py.example", tags=["prod"])
        self.assertEqual((zone.domain, zone.type, zone.status), ("py.example", "master", "active"))
        self.assertEqual((zone.description, zone.group, zone.master_ips), ("", "", []))
        www = zone.record_create("A", name="www", target="192.0.2.1", ttl_sec=300)
        mail = zone.record_create("MX", target="mail.py.example", priority=10)
        call = {"service": "sip", "protocol": "tcp", "priority": 10, "weight": 5, "port": 5060}
        sip = zone.record_create("SRV", target="sip.py.example", **call)
        zone.record_create("TXT", name="text", target="v=spf1 -all")
        self.assertEqual(len(zone.records), 4)
        self.assertEqual((mail.priority, sip.service, sip.protocol), (10, "sip", "tcp"))
        www.target = "192.0.2.2"
        self.assertTrue(www.save())
        mail.priority = 20
        self.assertTrue(mail.save())
        zone = client.load(Domain, zone.id)
        self.assertEqual(zone.status, "active")
        zone.description = "by the client"
        zone.ttl_sec = 3600
        self.assertTrue(zone.save())
        again = client.load(Domain, zone.id)
        self.assertEqual((again.description, again.ttl_sec), ("by the client", 3600))
        values = {record.type: (record.target, record.priority) for record in again.records}
        self.assertEqual((values["A"][0], values["MX"][1]), ("192.0.2.2", 20))
        for record in again.records:
            self.assertTrue(record.delete())
        self.assertTrue(zone.delete())

    def test_slave(self):
        zone = client.domain_create("py-slave.example", master=False, master_ips=["192.0.2.53"])
        self.assertEqual((zone.type, zone.soa_email, zone.master_ips), ("slave", "", ["192.0.2.53"]))
        zone.master_ips = ["192.0.2.53", "192.0.2.54"]
        self.assertTrue(zone.save())
        self.assertEqual(len(client.load(Domain, zone.id).master_ips), 2)
        zone.delete()
