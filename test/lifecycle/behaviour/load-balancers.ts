import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";

/** Creates a load balancer and one port through the provider, as a program would. */
export async function listening(world: Account, port: object = {}) {
  const balancer = new Managed("NodeBalancer", world.host, "front");
  await balancer.up({ region: "us-east", label: "front" });
  const config = new Managed("NodeBalancerConfig", world.host, "web");
  const declared = { nodebalancerId: Number(balancer.id), ...port };
  await config.up(declared);
  const path = { nodeBalancerId: Number(balancer.id), configId: Number(config.id.split("/")[1]) };
  world.calls();
  return { balancer, config, declared, path };
}
