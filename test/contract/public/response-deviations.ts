/**
 * Accepted differences between responses in this project's contract and in the published API contract, with the
 * reasons. If a line contains `|`, the published value is on its left.
 */
export const responseDeviations: readonly { reason: string; lines: readonly string[] }[] = [
  {
    reason: "Part 3 returns the payment.",
    lines: [
      "POST /account/payments response date: only in ours",
      "POST /account/payments response id: only in ours",
      "POST /account/payments response usd: only in ours",
      "POST /account/payments response warnings: not in ours",
      "POST /account/payments response warnings[].details: not in ours",
      "POST /account/payments response warnings[].title: not in ours",
      "POST /account/payments response warnings[]: not in ours",
    ],
  },
  {
    reason: "Part 3 returns the rebuilt config.",
    lines: [
      "POST /nodebalancers/{}/configs/{}/rebuild response algorithm: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_attempts: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_body: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_interval: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_passive: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_path: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response check_timeout: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response cipher_suite: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response client_conn_throttle: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response created: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response hostname: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ipv4: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ipv6: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response label: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response nodebalancer_id: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response nodes_status: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response port: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response protocol: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response proxy_protocol: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response region: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ssl_cert: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ssl_commonname: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ssl_fingerprint: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response ssl_key: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response stickiness: only in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response tags: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response tags[]: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response transfer.in: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response transfer.out: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response transfer.total: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response transfer: not in ours",
      "POST /nodebalancers/{}/configs/{}/rebuild response updated: not in ours",
    ],
  },
  {
    reason: "Part 2 returns the node itself.",
    lines: [
      "GET /lke/clusters/{}/nodes/{} response data.id: not in ours",
      "GET /lke/clusters/{}/nodes/{} response data.instance_id: not in ours",
      "GET /lke/clusters/{}/nodes/{} response data.status: not in ours",
      "GET /lke/clusters/{}/nodes/{} response data: not in ours",
      "GET /lke/clusters/{}/nodes/{} response id: only in ours",
      "GET /lke/clusters/{}/nodes/{} response instance_id: only in ours",
      "GET /lke/clusters/{}/nodes/{} response status: only in ours",
    ],
  },
  {
    reason: "Part 2 returns the whole cluster.",
    lines: [
      "PUT /lke/clusters/{} response control_plane: only in ours",
      "PUT /lke/clusters/{} response id: only in ours",
    ],
  },
  {
    reason: "The recorded service returns `disk` as the type of a disk.",
    lines: [
      "GET /account/events response data[].entity.type: adds disk",
      "GET /account/events response data[].entity.type: lacks disks",
      "GET /account/events/{} response entity.type: adds disk",
      "GET /account/events/{} response entity.type: lacks disks",
    ],
  },
  {
    reason: "The recorded service returns a list of pools, which is empty if there are none.",
    lines: [
      "GET /compute/instances/{}/ips response ipv6.global.prefix: not in ours",
      "GET /compute/instances/{}/ips response ipv6.global.range: not in ours",
      "GET /compute/instances/{}/ips response ipv6.global.region: not in ours",
      "GET /compute/instances/{}/ips response ipv6.global.route_target: not in ours",
      "GET /compute/instances/{}/ips response ipv6.global: type object | array",
      "GET /compute/instances/{}/ips response ipv6.global[]: only in ours",
    ],
  },
  {
    reason: "Ids of instances are numbers everywhere.",
    lines: [
      "GET /lke/clusters/{}/pools response data[].nodes[].instance_id: type string | integer",
      "GET /lke/clusters/{}/pools/{} response nodes[].instance_id: type string | integer",
      "POST /lke/clusters/{}/pools response nodes[].instance_id: type string | integer",
      "PUT /lke/clusters/{}/pools/{} response nodes[].instance_id: type string | integer",
    ],
  },
  {
    reason: "The marker belongs to the page, not to each of its objects.",
    lines: [
      "GET /object-storage/buckets/{}/{}/object-list response data[].is_truncated: not in ours",
      "GET /object-storage/buckets/{}/{}/object-list response data[].next_marker: not in ours",
      "GET /object-storage/buckets/{}/{}/object-list response is_truncated: only in ours",
      "GET /object-storage/buckets/{}/{}/object-list response next_marker: only in ours",
    ],
  },
];
