import base64
from tempfile import NamedTemporaryFile
from unittest import TestCase

import yaml
from kubernetes import config

from cloud import linode, until


class KubeconfigTest(TestCase):
    def test_kubeconfig_is_read(self):
        (prod,) = linode(
            "lke", "cluster-create", "--label", "kube", "--region", "us-ord", "--k8s_version", "1.34",
            "--node_pools.type", "g6-standard-1", "--node_pools.count", 1,
        )

        def kubeconfig():
            try:
                return linode("lke", "kubeconfig-view", prod["id"])[0]["kubeconfig"]
            except AssertionError as error:
                self.assertIn("503", str(error))
                return None

        text = base64.b64decode(until(kubeconfig, bool)).decode()
        with NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            contexts, active = config.list_kube_config_contexts(file.name)
            client = config.new_client_from_config(file.name)
        self.assertEqual(active["name"], "lke%d-ctx" % prod["id"])
        self.assertEqual(len(contexts), 1)
        host = client.configuration.host
        self.assertTrue(host.startswith("https://") and host.endswith(":443"), host)
        self.assertIn("token", yaml.safe_load(text)["users"][0]["user"])
        linode("lke", "cluster-delete", prod["id"])
