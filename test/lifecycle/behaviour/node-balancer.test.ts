import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { backend } from "../kinds/needs";
import { listening } from "./load-balancers";
import { test } from "./tests";

describe("NodeBalancer, NodeBalancerConfig and NodeBalancerNode", () => {
  test("ids are strings, and those of ports and backends contain their parents", async ({ world }) => {
    const { balancer, config, declared, path } = await listening(world);
    const { ip } = await backend(world, "web");
    expect(balancer.id).toBe(String(path.nodeBalancerId));
    expect(config.id).toBe(`${path.nodeBalancerId}/${path.configId}`);
    const node = new Managed("NodeBalancerNode", world.host);
    // Programs pass `config.id`, which consists of the ids of the load balancer and the port, for example `12/34`.
    await node.up({ ...declared, configId: config.id as never, label: "web", address: `${ip}:80` });
    expect(node.id).toMatch(new RegExp(`^${config.id}/\\d+$`));
    expect(node.outs).toMatchObject({ configId: path.configId, nodebalancerId: path.nodeBalancerId });
  });

  test("a load balancer without a label is named after its resource, and has its tags", async ({ world }) => {
    const it = new Managed("NodeBalancer", world.host, "front");
    await it.up({ region: "us-east", tags: ["web"] });
    expect(world.calls()).toEqual(["nodeBalancers.create"]);
    expect(it.outs).toMatchObject({ label: expect.stringMatching(/^front-[0-9a-f]{7}$/), tags: ["web"] });
  });

  test("ports that are not declared, and their backends, are not managed", async ({ world }) => {
    const { balancer, path } = await listening(world, { port: 80 });
    const { nodeBalancerId } = path;
    await world.api.nodeBalancerConfigs.create({ path: { nodeBalancerId }, body: { port: 81 } });
    await balancer.up({ region: "us-east", label: "front-2" });
    expect(await balancer.refresh()).toBe("same");
    expect(world.world.nodeBalancerConfigs.all()).toHaveLength(2);
  });

  test("omitted inputs with defaults of the service are not managed", async ({ world }) => {
    const { config, declared, path } = await listening(world);
    const { ip } = await backend(world, "web");
    const node = new Managed("NodeBalancerNode", world.host, "web");
    const backed = { ...declared, configId: path.configId, label: "web", address: `${ip}:80` };
    await node.up(backed);
    expect(config.outs).toMatchObject({ checkInterval: 31, checkTimeout: 30, checkPath: "" });
    expect(node.outs).toMatchObject({ weight: 50 });
    for (const open of ["checkInterval", "checkTimeout", "checkPath"])
      expect(config.state?.inputs).not.toHaveProperty(open);
    expect(node.state?.inputs).not.toHaveProperty("weight");
    // Simulates the state of an earlier version of the package, which set its own defaults.
    await config.up({ ...declared, checkInterval: 5, checkTimeout: 3, checkPath: "/" });
    await node.up({ ...backed, weight: 100 });
    expect((await config.preview(declared)).op).toBe("same");
    expect((await node.preview(backed)).op).toBe("same");
    await config.up(declared);
    await node.up(backed);
    world.world.nodeBalancerConfigs.patch(path.configId, { check_interval: 10 });
    world.world.nodeBalancerNodes.patch(Number(node.id.split("/").at(-1)), { weight: 7 });
    world.emulator.advance(60_000);
    for (const one of [config, node]) expect(await one.refresh()).toBe("same");
  });

  test("shows the API's error for a port that another config uses", async ({ world }) => {
    const { declared } = await listening(world);
    const other = new Managed("NodeBalancerConfig", world.host);
    await expect(other.up(declared)).rejects.toThrow(
      "port: Must be unique in the load balancer, which already has a config for port 80",
    );
    expect(other.state).toBeUndefined();
  });

  test("backends keep their ids when another one is added, changed or removed", async ({ world }) => {
    const { config, declared, path } = await listening(world);
    const [web, sql] = [await backend(world, "web"), await backend(world, "sql")];
    const node = (name: string) => new Managed("NodeBalancerNode", world.host, name);
    const inputs = (label: string, ip: string) => ({
      ...declared,
      configId: path.configId,
      label,
      address: `${ip}:80`,
    });
    const [one, two, three] = [node("one"), node("two"), node("three")];
    await one.up(inputs("one", web.ip));
    await two.up(inputs("two", web.ip));
    const ids = () => world.world.nodeBalancerNodes.by("config_id", path.configId).map(({ id }) => id);
    const before = ids();
    world.calls();
    await three.up(inputs("three", sql.ip));
    await one.up({ ...inputs("one", web.ip), mode: "drain", weight: 1 });
    await config.up({ ...declared, algorithm: "leastconn" });
    expect(ids().slice(0, 2)).toEqual(before);
    await three.destroy();
    expect(ids()).toEqual(before);
    expect(world.calls()).toEqual([
      "nodeBalancerNodes.create",
      "nodeBalancerNodes.update",
      "nodeBalancerConfigs.update",
      "nodeBalancerNodes.delete",
    ]);
  });

  test("a backend is deleted with its instance, and created again with a new one", async ({ world }) => {
    const { declared, path } = await listening(world);
    const web = await backend(world, "web");
    const node = new Managed("NodeBalancerNode", world.host);
    const inputs = { ...declared, configId: path.configId, label: "web", address: `${web.ip}:80` };
    await node.up(inputs);
    const { id } = node;
    await world.api.instances.delete({ path: { computeId: web.id } });
    world.emulator.settle();
    world.messages();
    // Even without a refresh, the preview of an update detects that the backend was deleted together with its instance.
    expect((await node.preview({ ...inputs, weight: 7 })).op).toBe("replace");
    expect(world.messages()).toEqual([
      `NodeBalancerNode "web" (${id}) no longer exists: it was deleted outside this program. It will be created again`,
    ]);
    const next = await backend(world, "web-2");
    expect((await node.up({ ...inputs, address: `${next.ip}:80` })).op).toBe("replace");
    expect(node.id).not.toBe(id);
  });

  test("results of health checks are not drift", async ({ world }) => {
    const { config, declared, path } = await listening(world, { check: "connection" });
    const { nodebalancerId } = declared;
    const web = await backend(world, "web");
    const node = new Managed("NodeBalancerNode", world.host);
    await node.up({ nodebalancerId, configId: path.configId, label: "web", address: `${web.ip}:80` });
    const nodePath = { ...path, nodeId: Number(node.id.split("/")[2]) };
    const status = async () => (await world.api.nodeBalancerNodes.view({ path: nodePath })).status;
    expect(await status()).toBe("unknown");
    world.emulator.advance(120_000);
    expect(await status()).toBe("DOWN");
    expect(await node.refresh()).toBe("same");
    expect(await config.refresh()).toBe("same");
  });

  test("ports and backends are deleted with their load balancer", async ({ world }) => {
    const { balancer, config, declared, path } = await listening(world);
    const { ip } = await backend(world, "web");
    const node = new Managed("NodeBalancerNode", world.host);
    await node.up({ ...declared, configId: path.configId, label: "web", address: ip });
    await balancer.destroy();
    expect(await config.refresh()).toBe("gone");
    expect(await node.refresh()).toBe("gone");
  });
});
