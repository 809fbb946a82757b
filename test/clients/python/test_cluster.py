import base64
import time
from unittest import TestCase

from linode_api4.errors import ApiError
from linode_api4.objects import LKECluster, LKENodePool

from cloud import WAIT_SECONDS, client, finished, now


class ClusterTest(TestCase):
    def test_create_read_update_delete_with_pools(self):
        version = client.lke.versions()[0]
        since = now()
        pool = client.lke.node_pool("g6-standard-1", 1)
        prod = client.lke.cluster_create("us-east", "py-prod", node_pools=[pool], kube_version=version, tags=["prod"])
        (first,) = prod.pools
        finished(since, "lke_node_create", "linode", first.nodes[0].instance_id)
        self.assertEqual(client.load(LKENodePool, first.id, prod.id).nodes[0].status, "ready")
        self.assertIn("apiVersion", base64.b64decode(self.ready(lambda: prod.kubeconfig)).decode())
        self.assertTrue(self.ready(lambda: prod.api_endpoints)[0].endpoint.startswith("https://"))
        second = prod.node_pool_create("g6-standard-2", 2)
        self.assertEqual((second.type.id, second.count, len(second.nodes)), ("g6-standard-2", 2, 2))
        second.count = 1
        self.assertTrue(second.save())
        self.assertEqual(client.load(LKENodePool, second.id, prod.id).count, 1)
        self.assertTrue(second.delete())
        prod.label = "py-live"
        self.assertTrue(prod.save())
        again = client.load(LKECluster, prod.id)
        self.assertEqual((again.label, again.k8s_version.id, len(again.pools)), ("py-live", version.id, 1))
        self.assertTrue(prod.delete())

    def ready(self, read):
        """Repeats a read while the service says that it is not there yet."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                return read()
            except ApiError as error:
                self.assertEqual(error.status, 503)
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.2)
