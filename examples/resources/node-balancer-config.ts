import { NodeBalancer, NodeBalancerConfig } from "pulumi-cloudinfra";

const blog = new NodeBalancer("blog", { region: "eu-central" });

const http = new NodeBalancerConfig("blog-http", {
  nodebalancerId: blog.id,
  port: 80,
  protocol: "http",
  algorithm: "leastconn",
  stickiness: "http_cookie",
  check: "http",
  checkPath: "/health",
});

export const port = http.port;
