# Converted from lke-node-recycle.yaml 2b22df3c by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

tools = cloudinfra.LkeCluster("tools",
    region="eu-central",
    k8s_version="1.21",
    pools={
        "main": {
            "type": "g6-standard-1",
            "count": 2,
        },
    })
nodes_of_tools = cloudinfra.LkeNodeRecycle("nodesOfTools",
    cluster_id=tools.id,
    triggers=[tools.k8s_version])
