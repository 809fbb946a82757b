import { z } from "zod";
import { Id } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { action } from "../../http/control/action";
import type { Part } from "../../http/handlers";
import { addPool, addRange } from "./ipv6";

/** Changes that users can request only from support. */
const Support = z.discriminatedUnion("request", [
  z.strictObject({
    request: z.literal("extra_ips").describe("Allows additional public IPv4 addresses for an instance."),
    compute_id: Id,
  }),
  z.strictObject({
    request: z.literal("ipv6_range").describe("Routes an IPv6 range with the prefix length 64 to an instance."),
    compute_id: Id,
  }),
  z.strictObject({
    request: z.literal("ipv6_pool").describe("Routes an IPv6 pool to all instances of a region."),
    region: z.string(),
  }),
]);

/** Endpoints under `/_emulator` that simulate support staff, who grant every request immediately. */
export const networkingControl: Part = {
  control: {
    support: {
      POST: action(Support, ({ world }, body) => {
        if (body.request === "ipv6_pool") {
          if (!world.regions.find(body.region))
            throw new ErrorResponse(400, `There is no region ${body.region}`, "region");
          return addPool(world, body.region);
        }
        const instance = world.instances.find(body.compute_id);
        if (!instance) throw new ErrorResponse(400, `There is no instance ${body.compute_id}`, "compute_id");
        if (body.request === "ipv6_range") return addRange(world, instance);
        world.instances.patch(instance.id, { extra_addresses: true });
        return {};
      }),
    },
  },
};
