from unittest import TestCase

from linode_api4.errors import ApiError
from linode_api4.objects import Volume

from cloud import client, finished, instance, now


class VolumeTest(TestCase):
    def test_create_read_update_delete(self):
        since = now()
        data = client.volume_create("py-data", region="us-east", size=20, tags=["prod"])
        finished(since, "volume_create", "volume", data.id)
        data = client.load(Volume, data.id)
        self.assertEqual((data.label, data.size, data.status, data.linode_id), ("py-data", 20, "active", None))
        data.label = "py-files"
        data.tags = []
        self.assertTrue(data.save())
        self.assertTrue(data.resize(30))
        finished(since, "volume_resize", "volume", data.id)
        again = client.load(Volume, data.id)
        self.assertEqual((again.label, again.tags, again.size), ("py-files", [], 30))
        self.assertTrue(data.delete())
        with self.assertRaises(ApiError) as refused:
            client.load(Volume, data.id).label
        self.assertEqual(refused.exception.status, 404)

    def test_attach_and_detach(self):
        web = instance("py-volumes")
        since = now()
        data = client.volume_create("py-attached", region="us-east")
        finished(since, "volume_create", "volume", data.id)
        self.assertTrue(data.attach(web))
        attached = finished(since, "volume_attach", "volume", data.id)
        self.assertEqual(attached["secondary_entity"]["id"], web.id)
        self.assertEqual(client.load(Volume, data.id).linode_id, web.id)
        self.assertTrue(data.detach())
        finished(since, "volume_detach", "volume", data.id)
        self.assertTrue(data.detach(), "a volume that is not attached can be detached")
        self.assertTrue(data.delete())
        web.delete()

    def test_created_attached_and_deleted_attached(self):
        web = instance("py-owner")
        since = now()
        data = client.volume_create("py-owned", linode=web)
        finished(since, "volume_create", "volume", data.id)
        self.assertEqual(client.load(Volume, data.id).linode_id, web.id)
        since = now()
        web.shutdown()
        finished(since, "linode_shutdown", "linode", web.id)
        self.assertTrue(data.delete())
        web.delete()
