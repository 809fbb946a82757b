# Converted from node-balancer-node.yaml 25e0912e by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

forum = cloudinfra.NodeBalancer("forum", region="eu-central")
forum_http = cloudinfra.NodeBalancerConfig("forumHttp",
    nodebalancer_id=forum.id,
    port=80)
server = cloudinfra.Instance("server",
    region="eu-central",
    type="g6-nanode-1",
    private_ip=True)
forum_server = cloudinfra.NodeBalancerNode("forumServer",
    nodebalancer_id=forum.id,
    config_id=forum_http.id,
    label="server",
    address=server.ipv4.apply(lambda ipv4: f"{ipv4[1]}:8080"))
pulumi.export("address", forum.ipv4)
