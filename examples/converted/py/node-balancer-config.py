# Converted from node-balancer-config.yaml aeb5c0e5 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

blog = cloudinfra.NodeBalancer("blog", region="eu-central")
blog_http = cloudinfra.NodeBalancerConfig("blogHttp",
    nodebalancer_id=blog.id,
    port=80,
    protocol=cloudinfra.NodeBalancerConfigProtocol.HTTP,
    algorithm=cloudinfra.NodeBalancerConfigAlgorithm.LEASTCONN,
    stickiness=cloudinfra.NodeBalancerConfigStickiness.HTTP_COOKIE,
    check=cloudinfra.NodeBalancerConfigCheck.HTTP,
    check_path="/health")
pulumi.export("port", blog_http.port)
