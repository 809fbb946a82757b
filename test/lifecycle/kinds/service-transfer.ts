import fc from "fast-check";
import { listOf, number } from "../equivalent-values";
import type { CreateFixture, EquivalentValues, ExampleEdit, Meanings } from "../fixture";
import { instance } from "./needs";

export const meanings: Meanings<"ServiceTransfer"> = {
  entities: "replace",
};

export const fixture: CreateFixture<"ServiceTransfer"> = async (cloud) => {
  const { api } = cloud;
  const machine = async (label: string) => (await instance(cloud, label)).id;
  const [web, db, mail] = [await machine("web"), await machine("sql"), await machine("mail")];
  return {
    base: { entities: { computes: [web, db] } },
    changes: { entities: [{ to: { computes: [mail] } }, { to: { computes: [web, db, mail] } }] },
    table: null,
    past: { transfers: ({ status }) => status === "cancelled" },
    async remove() {
      for await (const { token, status } of api.serviceTransfers.list.all())
        if (status === "pending") await api.entityTransfers.cancel({ path: { token } });
    },
    mustReturn: ["token"],
    disturb: () => {},
  };
};

export const equivalentValues: EquivalentValues = ({ entities }) => {
  const { computes } = entities as { computes: number[] };
  return [
    {
      given: {},
      equivalent: {
        entities: fc
          .shuffledSubarray(computes, { minLength: computes.length })
          .chain((ids) => listOf(ids, number))
          .map((ids) => ({ computes: ids })),
      },
    },
  ];
};

export const exampleEdit: ExampleEdit<"ServiceTransfer"> = "each change replaces it";
