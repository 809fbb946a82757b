import { instances, volumes } from "../../api";
import { type Plan, times } from "./account";

export const plan: Plan = {
  async small({ call }) {
    const [web] = (await call(instances.list, {})).data;
    if (web) await call(volumes.create, { body: { label: "data", size: 20, compute_id: web.id } });
    await call(volumes.create, { body: { label: "archive", size: 100, region: "eu-central", tags: ["archive"] } });
  },

  async large({ call }) {
    await times(3_000, (at) =>
      call(volumes.create, {
        body: {
          label: `volume-${at}`,
          size: 10 + (at % 10) * 10,
          region: at % 3 ? "us-east" : "eu-central",
          tags: [`team-${at % 20}`],
        },
      }),
    );
  },
};
