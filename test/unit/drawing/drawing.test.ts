import { describe, expect, test } from "vitest";
import {
  arrange,
  cardClasses,
  cardContents,
  cardTitle,
  type Drawn,
  driftStatuses,
  type Element,
  htmlOf,
  liveStatus,
} from "../../../drawing";

const drawn = (key: string, more: Partial<Drawn> = {}): Drawn => {
  const [kind = "", id = ""] = key.split("/");
  return { key, kind, name: `${kind.toLowerCase()}-${id}`, region: "us-east", status: liveStatus(undefined), ...more };
};

const arranged = (...objects: Drawn[]) =>
  arrange(objects).map(({ name, cards }) => [
    name,
    cards.map(({ object, parts }) => [object.key, ...parts.map(({ key }) => key)]),
  ]);

describe("the arrangement of an account", () => {
  test("has a panel for each region in the order of names, and one for global objects at the end", () => {
    const objects = [
      drawn("Domain/1", { region: undefined }),
      drawn("Instance/2"),
      drawn("Instance/3", { region: "ap-south" }),
    ];
    expect(arranged(...objects)).toEqual([
      ["ap-south", [["Instance/3"]]],
      ["us-east", [["Instance/2"]]],
      ["global", [["Domain/1"]]],
    ]);
  });

  test("draws attached objects on each of their hosts, and an object whose host is missing on its own", () => {
    const objects = [
      drawn("Volume/5", { on: ["Instance/1"] }),
      drawn("Firewall/6", { on: ["Instance/1", "Instance/2"] }),
      drawn("Instance/1"),
      drawn("Instance/2"),
      drawn("Volume/7", { on: ["Instance/9"] }),
    ];
    expect(arranged(...objects)).toEqual([
      ["us-east", [["Instance/1", "Volume/5", "Firewall/6"], ["Instance/2", "Firewall/6"], ["Volume/7"]]],
    ]);
  });

  test("draws the nodes of a cluster on the cluster, backends on their load balancer, and the load balancer on the instances behind it", () => {
    const objects = [
      drawn("LkeCluster/1"),
      drawn("LkePool/2", { on: ["LkeCluster/1"] }),
      drawn("Instance/3", { on: ["LkeCluster/1", "LkePool/2"] }),
      drawn("Instance/4"),
      drawn("NodeBalancer/5"),
      drawn("NodeBalancerNode/6", { on: ["NodeBalancer/5", "Instance/4"] }),
      drawn("NodeBalancerNode/7", { on: ["NodeBalancer/5", "Instance/4"] }),
      drawn("NodeBalancerNode/8", { on: ["NodeBalancer/5", "Instance/3"] }),
    ];
    expect(arranged(...objects)).toEqual([
      [
        "us-east",
        [
          ["NodeBalancer/5", "NodeBalancerNode/6", "NodeBalancerNode/7", "NodeBalancerNode/8"],
          ["Instance/4", "NodeBalancer/5"],
          ["LkeCluster/1", "Instance/3", "LkePool/2"],
        ],
      ],
    ]);
  });

  test("draws a load balancer whose first backend is a node of a cluster, before the first instance with a card", () => {
    const nodes = [
      drawn("LkeCluster/1"),
      drawn("Instance/3", { on: ["LkeCluster/1"] }),
      drawn("NodeBalancer/5"),
      drawn("NodeBalancerNode/6", { on: ["NodeBalancer/5", "Instance/3"] }),
    ];
    expect(arranged(...nodes)).toEqual([
      [
        "us-east",
        [
          ["NodeBalancer/5", "NodeBalancerNode/6"],
          ["LkeCluster/1", "Instance/3"],
        ],
      ],
    ]);
    const more = [drawn("Instance/4"), drawn("NodeBalancerNode/7", { on: ["NodeBalancer/5", "Instance/4"] })];
    expect(arranged(...nodes, ...more)).toEqual([
      [
        "us-east",
        [
          ["NodeBalancer/5", "NodeBalancerNode/6", "NodeBalancerNode/7"],
          ["Instance/4", "NodeBalancer/5"],
          ["LkeCluster/1", "Instance/3"],
        ],
      ],
    ]);
  });

  test("draws what is attached to nodes of a cluster on the cluster, once", () => {
    const objects = [
      drawn("Volume/7", { on: ["Instance/3"] }),
      drawn("Firewall/8", { on: ["Instance/3", "Instance/4"] }),
      drawn("LkeCluster/1"),
      drawn("Instance/3", { on: ["LkeCluster/1"] }),
      drawn("Instance/4", { on: ["LkeCluster/1"] }),
    ];
    expect(arranged(...objects)).toEqual([
      ["us-east", [["LkeCluster/1", "Instance/3", "Instance/4", "Volume/7", "Firewall/8"]]],
    ]);
  });

  test("draws two objects with the same key, such as two objects that could not be read", () => {
    expect(arranged(drawn("Volume/"), drawn("Volume/"))).toEqual([["us-east", [["Volume/"], ["Volume/"]]]]);
  });
});

describe("a card", () => {
  const texts = (node: Element | string): string =>
    typeof node === "string" ? node : node.attributes.class === "spoken" ? "" : node.children.map(texts).join(" ");
  const chipsOf = (...parts: Drawn[]): string[] => {
    const chips = cardContents({ object: drawn("Instance/1"), parts }).at(-1);
    return (chips?.children ?? []).map((chip) => texts(chip).replaceAll(/\s+/g, " ").trim());
  };

  test("names a single attached object, and counts several", () => {
    expect(chipsOf(drawn("Volume/1"), drawn("Firewall/2"))).toEqual(["volume-1", "firewall-2"]);
    expect(chipsOf(drawn("Volume/1"), drawn("Volume/2"))).toEqual(["2 volumes"]);
    expect(chipsOf(...["Volume/1", "Firewall/2", "Vlan/3", "Image/4", "Domain/5"].map((key) => drawn(key)))).toEqual([
      "volume-1",
      "firewall-2",
      "vlan-3",
      "+2",
    ]);
  });

  test("names the kinds of objects to screen readers, which do not see the icons", () => {
    const html = cardContents({ object: drawn("Instance/1"), parts: [drawn("Volume/2")] })
      .map((node) => htmlOf(node, (text) => text))
      .join("");
    const spoken = [...html.matchAll(/<span class="spoken">(\w+) <\/span>/g)].map(([, kind]) => kind);
    expect(spoken).toEqual(["instance", "volume"]);
  });

  test("shows the most urgent state of its attached objects", () => {
    const volumes = [
      drawn("Volume/1", { status: liveStatus("active") }),
      drawn("Volume/2", { status: liveStatus("contact_support") }),
    ];
    expect(chipsOf(...volumes)).toEqual(["! 2 volumes"]);
  });

  test("is guarded if a firewall protects the object, and dashed if the object is missing on one side", () => {
    expect(cardClasses({ object: drawn("Instance/1"), parts: [drawn("Firewall/2")] })).toBe("card t-plain guarded");
    expect(cardClasses({ object: drawn("LkeCluster/1"), parts: [drawn("Firewall/2")] }), "a node is protected").toBe(
      "card t-plain",
    );
    expect(cardClasses({ object: drawn("Instance/1", { status: driftStatuses.deleted }), parts: [] })).toBe(
      "card t-bad dashed",
    );
  });

  test("has its content in words, with at most 20 attached objects", () => {
    const object = drawn("Instance/1", { note: "192.0.2.1", status: liveStatus("shutting_down") });
    const parts = Array.from({ length: 22 }, (_, i) => drawn(`Volume/${i}`, { status: liveStatus("active") }));
    const title = cardTitle({ object, parts });
    expect(title).toMatch(/^instance instance-1, shutting down, 192\.0\.2\.1, volume volume-0 \(active\), /);
    expect(title).toMatch(/volume volume-19 \(active\), 2 more$/);
  });
});

test.each([
  ["running", "good", "running"],
  ["UP", "good", "up"],
  ["not_ready", "busy", "not ready"],
  ["offline", "off", "offline"],
  ["contact_support", "bad", "contact support"],
  ["never seen before", "unknown", "never seen before"],
])("the state %s has the tone %s and the label %s", (state, tone, label) => {
  expect(liveStatus(state)).toMatchObject({ tone, label });
});

test("HTML of an element contains escaped texts and attributes", () => {
  const escaped = (text: string): string => text.replaceAll(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
  const object = drawn("Instance/1", { name: "<img src=x onerror=alert(1)>", note: '"><script>' });
  const html = cardContents({ object, parts: [] })
    .map((node) => htmlOf(node, escaped))
    .join("");
  expect(html).toContain("&#60;img src=x onerror=alert(1)&#62;");
  expect(html).not.toMatch(/<img|<script/);
});
