# Converted from lke-cluster.yaml 6b86cd03 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

apps = cloudinfra.LkeCluster("apps",
    region="eu-central",
    k8s_version="1.21",
    pools={
        "web": {
            "type": "g6-standard-1",
            "count": 2,
            "autoscaler": {
                "enabled": True,
                "min": 2,
                "max": 5,
            },
        },
        "batch": {
            "type": "g6-standard-2",
            "count": 1,
        },
    },
    tags=["production"])
pulumi.export("kubeconfig", apps.kubeconfig)
