from unittest import TestCase

from linode_api4.errors import ApiError
from linode_api4.objects import Disk, Instance

from cloud import PASSWORD, PLACE, client, empty, finished, instance, now, retried


class InstanceTest(TestCase):
    def test_create_read_update_delete(self):
        web = instance("py-web", tags=["prod"])
        self.assertEqual(web.status, "running")
        self.assertEqual((web.region.id, web.type.id, web.image.id), ("us-east", "g6-standard-1", "linode/debian11"))
        self.assertEqual(web.tags, ["prod"])
        self.assertIsNone(web.backups.last_successful)
        web.label = "py-app"
        web.tags = ["prod", "app"]
        self.assertTrue(web.save())
        again = client.load(Instance, web.id)
        self.assertEqual((again.label, again.tags), ("py-app", ["prod", "app"]))
        self.assertEqual([one.id for one in client.linode.instances(Instance.label == "py-app")], [web.id])
        since = now()
        self.assertTrue(web.delete())
        finished(since, "linode_delete", "linode", web.id)
        with self.assertRaises(ApiError) as refused:
            client.load(Instance, web.id).label
        self.assertEqual((refused.exception.status, refused.exception.errors), (404, ["Not found"]))

    def test_power(self):
        web = instance("py-power")
        (config,) = web.configs
        for act, action in [("shutdown", "linode_shutdown"), ("boot", "linode_boot"), ("reboot", "linode_reboot")]:
            since = now()
            self.assertTrue(getattr(web, act)())
            event = finished(since, action, "linode", web.id)
            expected = None if act == "shutdown" else ("linode_config", config.id)
            second = event["secondary_entity"]
            self.assertEqual(second and (second["type"], second["id"]), expected, action)
        self.assertEqual(client.load(Instance, web.id).status, "running")
        web.delete()

    def test_creation_without_image(self):
        since = now()
        bare = empty("py-bare")
        finished(since, "linode_create", "linode", bare.id)
        self.assertEqual((bare.status, list(bare.disks), list(bare.configs)), ("offline", [], []))
        bare.delete()

    def test_disks_and_config(self):
        bare = empty("py-disks")
        since = now()
        root = bare.disk_create(3000, label="root", image="linode/debian11", root_pass=PASSWORD)
        swap = retried(lambda: bare.disk_create(512, label="swap", filesystem="swap"))
        event = finished(since, "disk_create", "linode", bare.id)
        self.assertEqual(event["secondary_entity"]["type"], "disk")
        finished(since, "disk_create", "linode", bare.id)
        retried(lambda: root.resize(4000))
        finished(since, "disk_resize", "linode", bare.id)
        root = client.load(Disk, root.id, bare.id)
        self.assertEqual((root.size, root.status, root.filesystem), (4000, "ready", "ext4"))
        root.label = "system"
        self.assertTrue(root.save())
        config = bare.config_create("linode/latest-64bit", "main", disks=[root, swap])
        self.assertEqual((config.devices.sda.id, config.devices.sdb.id), (root.id, swap.id))
        self.assertIsNone(config.devices.sdc, "an empty slot is null")
        self.assertEqual((config.kernel.id, config.comments), ("linode/latest-64bit", ""))
        config.comments = "by the client"
        config.label = "first"
        self.assertTrue(config.save())
        bare.invalidate()
        (again,) = bare.configs
        self.assertEqual((again.label, again.comments), ("first", "by the client"))
        since = now()
        self.assertTrue(bare.boot(config))
        finished(since, "linode_boot", "linode", bare.id)
        bare.shutdown()
        finished(since, "linode_shutdown", "linode", bare.id)
        self.assertTrue(config.delete())
        self.assertTrue(retried(swap.delete))
        deleted = finished(since, "disk_delete", "linode", bare.id)
        self.assertEqual(deleted["secondary_entity"]["id"], swap.id)
        bare.invalidate()
        self.assertEqual([disk.label for disk in bare.disks], ["system"])
        bare.delete()

    def test_addresses_and_backups(self):
        web = instance("py-backups", backups_enabled=True)
        private = web.ip_allocate()
        web.invalidate()
        self.assertEqual([one.address for one in web.ips.ipv4.private], [private.address])
        self.assertIsNone(web.ips.ipv4.private[0].rdns)
        self.assertEqual(web.ips.ipv6.slaac.prefix, 64)
        self.assertIsNone(web.available_backups.snapshot.current)
        since = now()
        backup = retried(lambda: web.snapshot("kept"))
        finished(since, "linode_snapshot", "linode", web.id)
        web.invalidate()
        self.assertEqual(web.available_backups.snapshot.current.id, backup.id)
        web.delete()

    def test_clone_and_rebuild(self):
        source = instance("py-source")
        since = now()
        source.rebuild("linode/debian10", root_pass=PASSWORD)
        finished(since, "linode_rebuild", "linode", source.id)
        finished(since, "linode_boot", "linode", source.id)
        self.assertEqual(client.load(Instance, source.id).image.id, "linode/debian10")
        since = now()
        place = {"type": PLACE["ltype"], "region": PLACE["region"]}
        copy = client.post("/linode/instances/%d/clone" % source.id, data={**place, "label": "py-copy"})
        event = finished(since, "linode_clone", "linode", source.id)
        self.assertEqual((event["secondary_entity"]["type"], event["secondary_entity"]["id"]), ("linode", copy["id"]))
        for id in (source.id, copy["id"]):
            client.load(Instance, id).delete()
