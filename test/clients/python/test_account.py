from unittest import TestCase

from linode_api4 import LinodeClient
from linode_api4.errors import ApiError
from linode_api4.objects import ObjectStorageKeys, Volume
from linode_api4.objects.filtering import and_, or_, order_by

from cloud import client, finished, now


class BucketKeyTest(TestCase):
    def test_create_read_update_delete(self):
        key = client.object_storage.keys_create("py-key")
        self.assertTrue(key.access_key and key.secret_key)
        self.assertEqual(ObjectStorageKeys(client, key.id).secret_key, "[REDACTED]")
        key.label = "py-renamed"
        self.assertTrue(key.save())
        labels = [one.label for one in client.object_storage.keys()]
        self.assertIn("py-renamed", labels)
        self.assertTrue(key.delete())
        self.assertNotIn(key.id, [one.id for one in client.object_storage.keys()])


class ListTest(TestCase):
    @classmethod
    def setUpClass(cls):
        since = now()
        cls.volumes = [client.volume_create("py-list-%02d" % at, region="us-east") for at in range(30)]
        finished(since, "volume_create", "volume", cls.volumes[-1].id)

    @classmethod
    def tearDownClass(cls):
        for volume in cls.volumes:
            volume.delete()

    def test_pages(self):
        paged = LinodeClient(client.token, base_url=client.base_url, page_size=25)
        labels = [one.label for one in paged.volumes() if one.label.startswith("py-list-")]
        self.assertEqual(len(labels), 30)

    def test_filters_and_order(self):
        one = client.volumes(Volume.label == "py-list-07")
        self.assertEqual([volume.label for volume in one], ["py-list-07"])
        two = client.volumes(or_(Volume.label == "py-list-07", Volume.label == "py-list-08"))
        self.assertEqual(len(two), 2)
        part = and_(Volume.label.contains("py-list-"), Volume.label != "py-list-00")
        self.assertEqual(len(client.volumes(part)), 29)
        last = client.volumes(order_by(Volume.label, desc=True))
        self.assertGreater(last[0].label, last[1].label)

    def test_a_filter_on_another_field_is_refused(self):
        with self.assertRaises(ApiError) as refused:
            client.volumes(Volume.created == "2022-01-01T00:00:00")
        self.assertEqual(refused.exception.status, 400)

    def test_events_are_marked(self):
        newest = client.account.events()[0]
        self.assertIsNone(newest.rate)
        newest.mark_read()
        client.account.events_mark_seen(newest)
        again = client.get("/account/events/%d" % newest.id)
        self.assertEqual((again["read"], again["seen"]), (True, True))
