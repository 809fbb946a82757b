import { number, reordered } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { instance } from "./needs";

export const effects: Effects<"ServiceTransfer"> = { entities: "replace" };

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"ServiceTransfer"> = async (cloud) => {
  const { api, world } = cloud;
  const machine = async (label: string) => (await instance(cloud, label)).id;
  const [web, db, mail] = [await machine("web"), await machine("sql"), await machine("mail")];
  return {
    base: { entities: { computes: [web, db] } },
    changes: { entities: [{ to: { computes: [mail] } }, { to: { computes: [web, db, mail] } }] },
    table: null,
    async finish() {
      for (const { token } of world.transfers.all()) await cloud.control("transfers/accept", { token });
    },
    remains: { transfers: ({ status }) => status === "cancelled" },
    async remove() {
      for await (const { token, status } of api.serviceTransfers.list.all())
        if (status === "pending") await api.entityTransfers.cancel({ path: { token } });
    },
    mustReturn: ["token"],
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = ({ entities }) => {
  const { computes } = entities as { computes: number[] };
  return [{ inputs: {}, equivalent: { entities: reordered(computes, number).map((ids) => ({ computes: ids })) } }];
};

export const exampleEdit: ExampleEdit<"ServiceTransfer"> = "each change replaces it";

export const templates: Templates = {
  ServiceTransfer: {
    needs: { machine: "EmptyInstance" },
    usedOnce: { machine: "transfer" },
    skip: ["entities"],
    inputs: (roles) => ({ entities: { computes: [id(roles, "machine")] } }),
  },
};
