import { z } from "zod";
import { type CreditCard, PaymentMethod, paymentMethods } from "../../api";
import { LostResponseError } from "../client/errors";
import type { Observed } from "../engine/contexts";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { withLocks } from "../engine/locks";

const { shape } = paymentMethods.add.body;
const { data } = PaymentMethod.shape;

export const paymentMethod = resource({
  name: "PaymentMethod",
  summary:
    "Manages a credit card as a payment method of the account. If the account already has a card with the same last four digits and expiry date, that card is adopted. Deleting the resource deletes the card. If it is the default, the only other payment method becomes the default; with several others, or as the account's only payment method, it cannot be deleted.",
  inputs: paymentMethods.add.body.extend({
    is_default: z
      .boolean()
      .optional()
      .describe(
        "Whether this is the default payment method. An account always has a default, so `false` only means that another payment method can become the default.",
      ),
    // The whole card is secret, not only some fields: an error message about one field of the card would show its other
    // fields.
    data: shape.data
      .meta({ secret: true })
      .describe(
        "Card. The API returns only its last four digits and its expiry date: a change that does not affect them has no effect.",
      ),
  }),
  // The API returns parts of the card in `data`. These parts are outputs with other names, because in state `data`
  // contains the declared card.
  outputs: PaymentMethod.omit({ data: true }).extend(data.shape),
  identity: {
    area: "paymentMethods",
    extend: async (_, { data, ...record }) => ({ ...record, ...data }),
    lostCreate: {
      match: [],
      candidates: async ({ api, want: { data } }) =>
        (await methodsWith(api, data)).map((paymentMethodId) => ({ paymentMethodId })),
    },
  },
  inventory: {
    file: "account",
    list: "byId",
    omissionReason: "the API does not return the number of a card",
    title: ({ type }) => type,
  },
  fields: {
    type: "replace",
    data: {
      change: "replace",
      current: cardOf,
      // The service returns only some fields of a card. Two cards that agree in these fields are equal.
      canonical: ({ card_number, expiry_month, expiry_year }) => ({
        card_number: card_number.slice(-4),
        expiry_month,
        expiry_year,
      }),
    },
    is_default: {
      change: "prefer",
      by: ["paymentMethods.makeDefault"],
      canonical: (value, { is_default: declared }) => (declared === false ? declared : value),
    },
  },
  steps: { prefer: { run: ({ api, path }) => api.paymentMethods.makeDefault({ path }) } },
  create: ({ host, api, want: { type, is_default, data } }) =>
    changingMethods(host, async () => {
      const existing = await methodWith(api, data);
      if (existing !== undefined) return { paymentMethodId: existing };
      await api.paymentMethods.add({ body: { type, is_default, data } });
      const added = await methodWith(api, data).catch((cause) => {
        throw new LostResponseError("paymentMethods.add", "it does not contain the id of the card", cause);
      });
      if (added === undefined)
        throw new LostResponseError("paymentMethods.add", "the card is not listed yet", undefined);
      return { paymentMethodId: added };
    }),
  delete: {
    declaredBy:
      ({ path: { paymentMethodId } }) =>
      ({ path }) =>
        path.paymentMethodId === paymentMethodId,
    run: ({ api, host, path, observe }) =>
      changingMethods(host, async () => {
        const observed = await observe();
        if (observed?.is_default) await passDefaultOn(api, host, observed);
        await api.paymentMethods.delete({ path });
      }),
  },
});

/** Runs work that depends on the other payment methods of the account, which must not change in the meantime. */
const changingMethods = <T>(host: Host, work: () => Promise<T>): Promise<T> =>
  withLocks(host, ["the payment methods"], work);

interface Shown {
  id: number;
  card_type: string;
  last_four: string;
  expiry: string;
}

function cardOf({ last_four, expiry }: Observed<Shown>): CreditCard | undefined {
  if (last_four === undefined || expiry === undefined) return undefined;
  const [month, year] = expiry.split("/").map(Number);
  return { card_number: last_four, expiry_month: Number(month), expiry_year: Number(year), cvv: "" };
}

const expiryOf = ({ expiry_month, expiry_year }: CreditCard): string =>
  `${String(expiry_month).padStart(2, "0")}/${expiry_year}`;

/** The id of the newest payment method with this card. */
async function methodWith(api: Host["api"], card: CreditCard): Promise<number | undefined> {
  const ids = await methodsWith(api, card);
  return ids.length ? Math.max(...ids) : undefined;
}

async function methodsWith(api: Host["api"], card: CreditCard): Promise<number[]> {
  const methods = await Array.fromAsync(api.paymentMethods.list.all());
  return methods
    .filter(({ data }) => card.card_number.endsWith(data.last_four) && data.expiry === expiryOf(card))
    .map(({ id }) => id);
}

/**
 * Called before the default payment method is deleted. If one other payment method is left, it becomes the default,
 * because an account must have one. If several are left, throws an error that asks the user to choose.
 */
async function passDefaultOn(api: Host["api"], host: Host, observed: Observed<Shown>): Promise<void> {
  const others = (await Array.fromAsync(api.paymentMethods.list.all())).filter(({ id }) => id !== observed.id);
  const named = others.map(({ id, data }) => `${id} (${data.card_type} ending in ${data.last_four})`);
  const [only] = others;
  const me = `PaymentMethod ${observed.id} (${observed.card_type} ending in ${observed.last_four})`;
  if (!only) throw new Error(`${me} is the account's only payment method and cannot be deleted. Add another one first`);
  if (others.length > 1)
    throw new Error(
      `${me} is the default payment method and cannot be deleted. First make one of these the default: ${named.join(", ")}`,
    );
  host.warn(`${me} was the default payment method; payments are now charged to ${named[0]}`);
  await api.paymentMethods.makeDefault({ path: { paymentMethodId: only.id } });
}
