# Converted from lke-node-pool.yaml 7b2608d5 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

jobs = cloudinfra.LkeCluster("jobs",
    region="eu-central",
    k8s_version="1.21",
    pools={
        "system": {
            "type": "g6-standard-1",
            "count": 1,
        },
    })
reports = cloudinfra.LkeNodePool("reports",
    cluster_id=jobs.id,
    type="g6-standard-2",
    count=2,
    tags=["reports"])
pulumi.export("nodes", reports.count)
